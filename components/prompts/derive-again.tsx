'use client';

import { RefreshCw } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';

/** Derives a card anew; asks first when that drops something written by hand. */
export function DeriveAgain({
  isEdited,
  isBusy,
  onDerive,
}: {
  isEdited: boolean;
  isBusy: boolean;
  onDerive: () => void;
}) {
  const label = (
    <>
      {isBusy ? null : <RefreshCw aria-hidden="true" />}
      Derive again
    </>
  );
  if (!isEdited) {
    return (
      <Button size="sm" isBusy={isBusy} onClick={onDerive}>
        {label}
      </Button>
    );
  }
  return (
    <ConfirmDialog
      title="Derive the card again?"
      description="What was edited by hand is replaced by what the prompt says, and the card follows the prompt from then on."
      confirmLabel="Derive again"
      onConfirm={onDerive}
      trigger={
        <Button size="sm" isBusy={isBusy}>
          {label}
        </Button>
      }
    />
  );
}
