'use client';

import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { OutcomeBadge, SentimentMark, TagList } from '#components/conversations/call-badges.tsx';
import { LiveTranscript, ProgressCard } from '#components/conversations/live-call.tsx';
import { LiveControls } from '#components/conversations/live-controls.tsx';
import { callTitle } from '#components/conversations/wording.ts';
import { useCallUpdates } from '#components/conversations/use-call-updates.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';

/** The call that was just placed (`interim`: what the person is saying now), as it happens; afterwards how it went, with the way to the conversation. */
export function PlacedCall({ callId, interim = '' }: { callId: string; interim?: string }) {
  const workspace = useWorkspace();
  const { data: call, error } = useQuery(conversationQueries.detail(workspace.id, callId));
  const words = useCallUpdates(workspace.id, callId, { isRunning: call?.status !== 'ended', interim });
  if (error && !call)
    return <ErrorState title="The call cannot be followed" description={describeFailure(error)} />;
  if (!call) return <Skeleton className="h-40" />;
  return (
    <section aria-label="The call" className="flex min-w-0 flex-col gap-4">
      <ProgressCard call={call}>
        {/* Whoever talks in the browser has the buttons of the talk. */}
        {call.status === 'ended' || call.carrier === 'browser' ? null : (
          <>
            <LiveControls call={call} />
            <p className="mt-3 text-sm">
              <Link
                href={conversationPath(workspace.id, call.id)}
                className="rounded-sm text-accent-text underline"
              >
                Follow it on its own page
              </Link>
            </p>
          </>
        )}
      </ProgressCard>
      {call.status === 'ended' ? <Outcome call={call} /> : null}
      <LiveTranscript call={call} words={words} />
    </section>
  );
}

const conversationPath = (workspaceId: string, callId: string) =>
  workspacePath(workspaceId, `conversations/${encodeURIComponent(callId)}`);

function Outcome({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          {callTitle(call)}
          <OutcomeBadge call={call} />
        </span>
      }
      actions={
        <Link
          href={conversationPath(workspace.id, call.id)}
          className={buttonClasses({ variant: 'primary', size: 'sm' })}
        >
          Open conversation
          <ArrowRight aria-hidden="true" />
        </Link>
      }
    >
      <div className="flex flex-col gap-2 text-sm">
        <p className="text-pretty text-ink">{call.summary ?? call.endReason ?? 'The call has ended.'}</p>
        <div className="flex flex-wrap items-center gap-3">
          {call.sentiment && call.sentiment !== 'N_A' ? <SentimentMark sentiment={call.sentiment} /> : null}
          {call.tags.length > 0 ? <TagList tags={call.tags} /> : null}
        </div>
      </div>
    </Card>
  );
}
