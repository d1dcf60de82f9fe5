'use client';

import { useQuery } from '@tanstack/react-query';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot } from '#components/ui/badge.tsx';
import { Link } from '#components/ui/link.tsx';
import type { CallListItem } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { DirectionIcon, Phone } from './call-badges.tsx';
import { useNow } from './use-now.ts';
import { durationLabel, STATUS_WORDS, statusLabel } from './wording.ts';

/** Calls and chats going on right now, above the finished ones; nothing when there are none. */
export function LiveCalls() {
  const workspace = useWorkspace();
  const { data } = useQuery(conversationQueries.live(workspace.id));
  const calls = data?.calls ?? [];
  const nowMs = useNow(calls.length > 0);
  if (calls.length === 0) return null;
  const hiddenCount = (data?.totalCount ?? 0) - calls.length;
  return (
    <section aria-label="Conversations in progress" className="flex flex-col gap-2">
      <div className="flex items-baseline justify-between gap-4">
        <h2 className="text-sm font-semibold text-ink">
          <StatusDot tone="success" isLive>
            Live now
          </StatusDot>
        </h2>
        {hiddenCount > 0 ? (
          <Link
            href={`${workspacePath(workspace.id, 'conversations')}?status=live`}
            className="rounded-sm text-sm text-accent-text hover:underline"
          >
            {hiddenCount} more
          </Link>
        ) : null}
      </div>
      <ul className="grid gap-2 sm:grid-cols-2 xl:grid-cols-3">
        {calls.map((call) => (
          <LiveCallCard key={call.id} call={call} nowMs={nowMs} />
        ))}
      </ul>
    </section>
  );
}

function LiveCallCard({ call, nowMs }: { call: CallListItem; nowMs: number | null }) {
  const workspace = useWorkspace();
  const words = STATUS_WORDS[call.status];
  return (
    <li className="relative flex items-center gap-3 rounded-lg border border-line bg-surface px-3.5 py-2.5 shadow-card transition-colors hover:bg-hover/60">
      <DirectionIcon direction={call.direction} channel={call.channel} />
      <div className="min-w-0 flex-1">
        <Link
          href={workspacePath(workspace.id, `conversations/${encodeURIComponent(call.id)}`)}
          className="block truncate rounded-sm text-sm font-medium text-ink after:absolute after:inset-0 after:rounded-lg"
        >
          {call.channel === 'chat' ? 'Visitor' : <Phone number={call.humanPhoneNumber} />}
        </Link>
        <p className="truncate text-xs text-ink-subtle">{call.agentName}</p>
      </div>
      <div className="text-right text-xs text-ink-muted">
        <StatusDot tone={words.tone} isLive>
          {statusLabel(call, new Date(nowMs ?? 0))}
        </StatusDot>
        <p className="figures text-ink-subtle">{elapsed(call, nowMs)}</p>
      </div>
    </li>
  );
}

function elapsed(call: CallListItem, nowMs: number | null): string {
  if (call.answeredAt === null || nowMs === null) return ' ';
  return durationLabel((nowMs - Date.parse(call.answeredAt)) / 1000);
}
