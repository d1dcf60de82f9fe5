'use client';

import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { DISPOSITION_WORDS, STATUS_WORDS } from './wording.ts';

/** All calls to a person who was not reached at first; nothing for a single call. */
export function AttemptsCard({ call }: { call: CallDetail }) {
  const { id: workspaceId } = useWorkspace();
  if (call.attempts.length === 0) return null;
  return (
    <Card title={`Attempt ${call.attempt} of ${call.attemptsPlanned}`}>
      <ol className="flex flex-col gap-2 text-sm">
        {call.attempts.map((each) => (
          <li key={each.id} className="flex items-baseline justify-between gap-3">
            {each.id === call.id ? (
              <span aria-current="page" className="text-ink">{`Attempt ${each.attempt}, this call`}</span>
            ) : (
              <Link
                href={workspacePath(workspaceId, `conversations/${encodeURIComponent(each.id)}`)}
                className="rounded-sm text-accent-text hover:underline"
              >
                {`Attempt ${each.attempt}`}
              </Link>
            )}
            <span className="text-right text-ink-muted">{stateOf(each)}</span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function stateOf({ status, disposition, endReason }: CallDetail['attempts'][number]): string {
  if (status !== 'ended') return STATUS_WORDS[status].label;
  if (disposition === 'FAILED' && endReason !== null) return endReason;
  return disposition === null ? STATUS_WORDS.ended.label : DISPOSITION_WORDS[disposition].label;
}
