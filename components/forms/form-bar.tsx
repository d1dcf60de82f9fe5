'use client';

import type { ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Notice } from '#components/ui/empty-state.tsx';
import { UnsavedChanges } from './unsaved-changes.tsx';

type FormBarProps = {
  isDirty: boolean;
  isSaving: boolean;
  onDiscard: () => void;
  /** Of a form whose changes can wait in a draft: whether they do, or how they are kept there. */
  draft?: { isDraft: boolean; onSave: () => Promise<void> };
  saveLabel?: string;
  /** Said while there is nothing to save. */
  idleText?: string;
  children?: ReactNode;
};

/** The strip with the save button, at hand while a long form is edited. */
export function FormBar({
  isDirty,
  isSaving,
  onDiscard,
  draft,
  saveLabel = draft?.isDraft ? 'Save to draft' : 'Save changes',
  idleText = 'Everything is saved',
  children,
}: FormBarProps) {
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-between gap-2 rounded-lg border border-line px-4 py-2.5',
        isDirty ? 'sticky bottom-3 z-20 bg-raised shadow-pop' : 'bg-surface shadow-card',
      )}
    >
      <output className="text-sm text-ink-muted">{isDirty ? 'Unsaved changes' : idleText}</output>
      <span className="flex flex-wrap items-center gap-2">
        {children}
        <Button variant="ghost" disabled={!isDirty || isSaving} onClick={onDiscard}>
          Discard
        </Button>
        {draft && !draft.isDraft ? (
          <Button disabled={!isDirty || isSaving} onClick={() => void draft.onSave()}>
            Save as draft
          </Button>
        ) : null}
        <Button type="submit" variant="primary" disabled={!isDirty} isBusy={isSaving}>
          {saveLabel}
        </Button>
      </span>
      <UnsavedChanges isDirty={isDirty} />
    </div>
  );
}

/** A failure that belongs to no single field. */
export function FormFailure({ message }: { message: string | undefined }) {
  if (!message) return null;
  return (
    <Notice tone="danger" icon={<CircleAlert aria-hidden="true" />}>
      {message}
    </Notice>
  );
}
