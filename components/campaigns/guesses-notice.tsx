'use client';

import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import type { CampaignDetail } from '#lib/features/campaigns/contract.ts';
import { useMove } from './campaign-actions.tsx';
import { count } from './wording.ts';

/** Numbers that may be others than were meant wait for a yes; without it nobody calls them. */
export function GuessesNotice({ campaign }: { campaign: CampaignDetail }) {
  const { role } = useWorkspace();
  const move = useMove(campaign.id);
  const { guessed } = campaign.progress;
  if (guessed === 0 || !['ready', 'running', 'paused'].includes(campaign.state)) return null;
  const numbers = guessed === 1 ? 'One number is a guess' : `${count(guessed)} numbers are guesses`;
  return (
    <Notice
      tone="warning"
      title={numbers}
      actions={
        role === 'viewer' ? undefined : (
          <ConfirmDialog
            title={guessed === 1 ? 'Call the guessed number?' : `Call ${count(guessed)} guessed numbers?`}
            description="They are called as they were read. Look through them first: a wrong guess calls a stranger."
            confirmLabel="Yes, call them"
            tone="primary"
            onConfirm={() => move.mutate('confirmGuesses')}
            trigger={<Button isBusy={move.isPending}>Call guessed numbers too</Button>}
          />
        )
      }
    >
      Others may be meant, so they are not called. Below they stand as they were read, each with the reason.
    </Notice>
  );
}
