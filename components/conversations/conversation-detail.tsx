'use client';

import { useEffect, useRef } from 'react';
import { useSearchParams } from 'next/navigation';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { CircleAlert, MessageSquare, Mic, PhoneCall } from 'lucide-react';
import { inactiveReason } from '#components/calls/call-defaults.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { MakeScenarioButton } from '#components/simulations/make-scenario-button.tsx';
import { ReviewCard } from '#components/reviews/review-card.tsx';
import { SharesCard } from '#components/shares/shares-card.tsx';
import { TagEditor } from '#components/reviews/tag-editor.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { HighlightedText } from '#components/ui/highlighted-text.tsx';
import { Link } from '#components/ui/link.tsx';
import { takeLostFocus } from '#components/ui/lost-focus.ts';
import { PageHeader } from '#components/ui/page-header.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { searchWords } from '#lib/features/conversations/rules.ts';
import { AttemptsCard } from './attempts-card.tsx';
import { OutcomeBadge, SentimentMark } from './call-badges.tsx';
import { ChatTranscript } from './chat-transcript.tsx';
import { changedQuery, conversationPath, pageStart, requestedFilter } from './filter.ts';
import { DeleteConversation } from './delete-conversation.tsx';
import { LiveCall } from './live-call.tsx';
import { NotesCard } from './notes-card.tsx';
import { OptOutCard } from './opt-out-card.tsx';
import { ResultsCard } from './results-card.tsx';
import { Neighbours, type NeighbourPlace } from './neighbours.tsx';
import { PlayerCard, useRecording } from './player-card.tsx';
import {
  AgreementCard,
  CostCard,
  DetailsCard,
  TimelineCard,
  VariablesCard,
  WebhookCard,
} from './side-cards.tsx';
import { TranscriptCard } from './transcript-card.tsx';
import { transcriptText } from './transcript-entries.ts';
import { useCallUpdates } from './use-call-updates.ts';
import { callTitle, DISPOSITION_WORDS } from './wording.ts';

/** One call: as it happens while it runs, and everything about it afterwards. */
export function ConversationDetail({ callId }: { callId: string }) {
  const workspace = useWorkspace();
  const { data: call } = useSuspenseQuery(conversationQueries.detail(workspace.id, callId));
  const params = useSearchParams();
  const list = useListPlace(callId);
  const isRunning = call.status !== 'ended';
  const words = useCallUpdates(workspace.id, callId, { isRunning });
  useFocusAtEnd(isRunning);
  return (
    <>
      <PageHeader
        trail={[{ label: 'Conversations', href: list.href }]}
        title={callTitle(call)}
        badge={<OutcomeBadge call={call} />}
        description={
          <span className="flex items-center gap-1 font-mono text-xs break-all text-ink-subtle">
            {call.id}
            <CopyButton text={call.id} label="Copy conversation id" className="-my-1" />
          </span>
        }
        actions={
          <>
            {list.place ? <Neighbours place={list.place} /> : null}
            {isRunning ? null : <Actions call={call} />}
            {isRunning ? null : <DeleteConversation callId={call.id} listHref={list.href} />}
          </>
        }
      />
      {isRunning ? (
        <LiveCall call={call} words={words} />
      ) : (
        <FinishedCall call={call} words={searchWords(params.get('search') ?? undefined)} />
      )}
    </>
  );
}

/** What could be done with the call is gone when it ends, and may have had the focus. */
function useFocusAtEnd(isRunning: boolean): void {
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) takeLostFocus(document.querySelector('h1'));
    wasRunning.current = isRunning;
  }, [isRunning]);
}

/** The list that the call was opened from: its filter stands in the address, its page follows from the place in it. */
function useListPlace(callId: string): { href: string; place: NeighbourPlace | null } {
  const workspace = useWorkspace();
  const params = useSearchParams();
  const filter = requestedFilter(Object.fromEntries(params));
  const { data } = useQuery(conversationQueries.neighbours(workspace.id, callId, filter));
  const list = workspacePath(workspace.id, 'conversations');
  const skip = pageStart(data?.position ?? 1);
  const query = changedQuery(params, { skip: skip > 0 ? String(skip) : '' });
  const hrefOf = (id: string | null) => (id === null ? null : conversationPath(workspace.id, id, params));
  return {
    href: `${list}${query}#${encodeURIComponent(callId)}`,
    place: data
      ? {
          previousHref: hrefOf(data.previous),
          nextHref: hrefOf(data.next),
          position: data.position,
          totalCount: data.totalCount,
          isTotalExact: data.isTotalExact,
        }
      : null,
  };
}

function Actions({ call }: { call: CallDetail }) {
  return (
    <>
      {call.turns.length > 0 ? (
        <CopyButton text={transcriptText(call.turns)} label="Copy transcript" size="md" hasText />
      ) : null}
      <MakeScenarioButton call={call} />
      <CallAgain call={call} />
    </>
  );
}

/** Fills the form for a call with this one; the address names only the call, since variables are personal. */
function CallAgain({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  if (workspace.role === 'viewer') return null;
  if (call.agentState !== 'active') {
    const reason =
      call.agentState === 'deleted' ? `${call.agentName} was deleted.` : inactiveReason(call.agentName);
    return <p className="text-sm text-ink-subtle">{reason}</p>;
  }
  if (call.channel === 'chat') {
    const chat = `agents/${encodeURIComponent(call.agentId)}/chat`;
    return (
      <Link href={workspacePath(workspace.id, chat)} className={buttonClasses()}>
        <MessageSquare aria-hidden="true" />
        Chat with this agent
      </Link>
    );
  }
  if (call.carrier === 'browser') {
    const talk = `agents/${encodeURIComponent(call.agentId)}/talk`;
    return (
      <Link href={workspacePath(workspace.id, talk)} className={buttonClasses()}>
        <Mic aria-hidden="true" />
        Talk again
      </Link>
    );
  }
  return (
    <Link
      href={`${workspacePath(workspace.id, 'calls/new')}?${new URLSearchParams({ again: call.id })}`}
      className={buttonClasses()}
    >
      <PhoneCall aria-hidden="true" />
      Call again
    </Link>
  );
}

function FinishedCall({ call, words }: { call: CallDetail; words: readonly string[] }) {
  const { player, link } = useRecording(call.id, call.recordingUrl, call.durationSeconds);
  return (
    <>
      {call.disposition === 'FAILED' ? (
        <Notice tone="danger" icon={<CircleAlert aria-hidden="true" />} title="The call never connected">
          {call.endReason ?? DISPOSITION_WORDS.FAILED.meaning} It cost nothing, and there is no summary or
          recording.
        </Notice>
      ) : null}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <SummaryCard call={call} words={words} />
          {player && link ? <PlayerCard callId={call.id} player={player} link={link} /> : null}
          {call.disposition === 'FAILED' ? (
            <TimelineCard call={call} />
          ) : call.channel === 'chat' ? (
            <ChatTranscript call={call} />
          ) : (
            <TranscriptCard call={call} player={player} words={words} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <AgreementCard call={call} />
          <ResultsCard results={call.results} />
          <ReviewCard callId={call.id} />
          <NotesCard callId={call.id} />
          <OptOutCard call={call} />
          <SharesCard callId={call.id} />
          <AttemptsCard call={call} />
          <DetailsCard call={call} />
          <VariablesCard variables={call.variables} />
          <CostCard call={call} />
          <WebhookCard webhook={call.webhook} />
          {call.disposition === 'FAILED' ? null : <TimelineCard call={call} />}
        </div>
      </div>
    </>
  );
}

function SummaryCard({ call, words }: { call: CallDetail; words: readonly string[] }) {
  const tags = <TagEditor callId={call.id} tags={call.tags} />;
  if (call.disposition === 'FAILED' && !call.summary) return <Card title="Tags">{tags}</Card>;
  return (
    <Card title="Summary" actions={<SentimentMark sentiment={call.sentiment} />}>
      <p className="max-w-prose text-base text-pretty text-ink">
        {call.summary === null ? (
          <span className="text-ink-subtle">No summary was written.</span>
        ) : (
          <HighlightedText text={call.summary} words={words} matching="anywhere" />
        )}
      </p>
      <div className="mt-3">{tags}</div>
    </Card>
  );
}
