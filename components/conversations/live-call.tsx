'use client';

import { type ReactNode, useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PhoneOff } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Spinner } from '#components/ui/spinner.tsx';
import { StickyControls } from '#components/ui/sticky-controls.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { cancelCall } from '#lib/features/calls/contract.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { ChatTranscript, EndChat } from './chat-transcript.tsx';
import { AttemptsCard } from './attempts-card.tsx';
import { DetailsCard, TimelineCard, VariablesCard } from './side-cards.tsx';
import { LiveControls } from './live-controls.tsx';
import { NotesCard } from './notes-card.tsx';
import { Transcript } from './transcript.tsx';
import type { WordsNow } from './use-call-updates.ts';
import { useFollowEnd } from './use-follow-end.ts';
import { useNow } from './use-now.ts';
import { durationLabel, STATUS_WORDS, statusLabel } from './wording.ts';

/** A call while it runs: where it stands, and every turn and tool use as it happens. */
export function LiveCall({ call, words }: { call: CallDetail; words: WordsNow }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <StickyControls>
          <ProgressCard call={call}>
            {call.channel === 'chat' ? <EndChat chatId={call.id} /> : <LiveControls call={call} />}
          </ProgressCard>
        </StickyControls>
        {call.channel === 'chat' ? (
          <ChatTranscript call={call} />
        ) : (
          <LiveTranscript call={call} words={words} />
        )}
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <NotesCard callId={call.id} />
        <AttemptsCard call={call} />
        <DetailsCard call={call} />
        <VariablesCard variables={call.variables} />
        <TimelineCard call={call} />
      </div>
    </div>
  );
}

/** `words`: what is being said and is no turn yet, where somebody knows it. */
export function LiveTranscript({ call, words }: { call: CallDetail; words: WordsNow }) {
  const end = useRef<HTMLDivElement>(null);
  const entryCount = call.turns.length + call.toolUses.length;
  useFollowEnd(end, entryCount);
  const isOver = call.status === 'ended' || call.status === 'wrapping_up';
  return (
    <Card title="Transcript">
      {/* It is there before the first turn, which would not be announced otherwise. */}
      <div aria-live="polite" aria-relevant="additions">
        {entryCount > 0 ? <Transcript call={call} player={null} isLive /> : null}
      </div>
      {isOver ? (
        entryCount === 0 ? (
          <p className="py-6 text-center text-sm text-ink-subtle">Nothing was said.</p>
        ) : null
      ) : (
        <>
          <WordsNowRow speaker="agent" text={words.agent} />
          <WordsNowRow speaker="human" text={words.human} />
          <p className="flex items-center gap-2 pt-2 text-sm text-ink-subtle">
            <Spinner className="size-3.5" />
            {call.status === 'in_progress'
              ? 'Listening…'
              : 'The conversation appears here as soon as somebody answers.'}
          </p>
        </>
      )}
      <div ref={end} className="scroll-mb-8" />
    </Card>
  );
}

/** Its turn is announced when it is over: words that change while they are read out help nobody. */
function WordsNowRow({ speaker, text }: { speaker: 'agent' | 'human'; text: string }) {
  if (text === '') return null;
  return (
    <div aria-live="off" className="grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-2 py-1.5">
      <span className="figures flex h-5 items-center text-xs text-ink-subtle">now</span>
      <div className="min-w-0">
        <p className={classNames('text-xs font-semibold', speaker === 'agent' ? 'text-agent' : 'text-human')}>
          {speaker === 'agent' ? 'Agent' : 'Human'}
        </p>
        <p className="text-base text-pretty wrap-anywhere text-ink-muted">
          {text}
          {/[.!?…]$/.test(text) ? ' …' : '…'}
        </p>
      </div>
    </div>
  );
}

const STEPS = [
  { status: 'queued', label: 'Queued' },
  { status: 'dialing', label: 'Dialing' },
  { status: 'ringing', label: 'Ringing' },
  { status: 'in_progress', label: 'Talking' },
  { status: 'wrapping_up', label: 'Wrapping up' },
  { status: 'ended', label: 'Done' },
] as const;
const CHAT_STEPS = [
  { status: 'in_progress', label: 'Chatting' },
  { status: 'wrapping_up', label: 'Wrapping up' },
  { status: 'ended', label: 'Done' },
] as const;
/** Where a call that came in begins. */
const RINGING = 2;

const STEP_BARS = {
  passed: 'bg-accent',
  now: 'animate-live bg-accent',
  skipped: 'bg-line',
  later: 'bg-line',
};

/** Where the call stands, as a bar of its states; one that a failed call never reached stays empty. */
export function ProgressCard({ call, children }: { call: CallDetail; children?: ReactNode }) {
  const steps = stepsOf(call);
  const current = steps.findIndex((step) => step.status === call.status);
  const reached = new Set(call.events.map((event) => event.type));
  const words = STATUS_WORDS[call.status];
  const nowMs = useNow(call.status === 'queued');
  const stateOf = (index: number, status: string) => {
    if (call.status === 'ended') return reached.has(`call.${status}`) ? 'passed' : 'skipped';
    return index < current ? 'passed' : index === current ? 'now' : 'later';
  };
  return (
    <section
      aria-label="Progress"
      className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card sm:px-5"
    >
      <div className="flex min-h-7 items-center justify-between gap-4 text-base font-semibold text-ink">
        <output>
          <span className="sr-only">Call state: </span>
          <StatusDot tone={words.tone} isLive={call.status !== 'ended'}>
            {nowMs === null ? words.label : statusLabel(call, new Date(nowMs))}
          </StatusDot>
        </output>
        <span className="flex items-center gap-3">
          <Elapsed call={call} />
          {call.status === 'queued' ? <CancelButton callId={call.id} /> : null}
        </span>
      </div>
      <ol className="mt-2.5 grid auto-cols-fr grid-flow-col gap-1.5 short:sr-only">
        {steps.map((step, index) => {
          const state = stateOf(index, step.status);
          return (
            <li key={step.status} aria-current={index === current ? 'step' : undefined} className="min-w-0">
              <span aria-hidden="true" className={classNames('block h-1 rounded-full', STEP_BARS[state])} />
              <span
                className={classNames(
                  'mt-1.5 block truncate text-xs max-sm:sr-only',
                  state === 'now' ? 'font-medium text-ink' : 'text-ink-subtle',
                )}
              >
                {step.label}
                {state === 'passed' ? <span className="sr-only"> (passed)</span> : null}
              </span>
            </li>
          );
        })}
      </ol>
      {children}
    </section>
  );
}

function stepsOf({ channel, direction, carrier }: CallDetail) {
  if (channel === 'chat') return CHAT_STEPS;
  return direction === 'OUTBOUND' && carrier !== 'browser' ? STEPS : STEPS.slice(RINGING);
}

function Elapsed({ call }: { call: CallDetail }) {
  const isTalking = call.answeredAt !== null && call.endedAt === null;
  const nowMs = useNow(isTalking);
  if (call.answeredAt === null || (isTalking && nowMs === null)) return null;
  const seconds = isTalking ? ((nowMs ?? 0) - Date.parse(call.answeredAt)) / 1000 : call.durationSeconds;
  return (
    <span className="figures text-sm font-normal text-ink-muted">
      <span className="sr-only">Time since the answer: </span>
      {durationLabel(seconds)}
    </span>
  );
}

function CancelButton({ callId }: { callId: string }) {
  const workspace = useWorkspace();
  const toast = useToast();
  const queryClient = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => callOperation(cancelCall, { params: { callId } }, { workspaceId: workspace.id }),
    onSuccess: () => toast({ title: 'Call cancelled' }),
    onError: (error) =>
      toast({ tone: 'danger', title: 'The call could not be cancelled', description: error.message }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: conversationQueries.root(workspace.id) }),
  });
  return (
    <Button size="sm" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
      <PhoneOff aria-hidden="true" />
      Cancel
    </Button>
  );
}
