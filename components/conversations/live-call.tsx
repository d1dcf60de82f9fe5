'use client';

import { useEffect, useRef } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, PhoneOff } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Spinner } from '#components/ui/spinner.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { cancelCall } from '#lib/features/calls/contract.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { DetailsCard, TimelineCard, VariablesCard } from './side-cards.tsx';
import { Transcript } from './transcript.tsx';
import { useNow } from './use-now.ts';
import { durationLabel } from './wording.ts';

/** A call while it runs: where it stands, and every turn and tool use as it happens. */
export function LiveCall({ call }: { call: CallDetail }) {
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4">
        <ProgressCard call={call} />
        <LiveTranscript call={call} />
      </div>
      <div className="flex min-w-0 flex-col gap-4">
        <DetailsCard call={call} />
        <VariablesCard variables={call.variables} />
        <TimelineCard call={call} />
      </div>
    </div>
  );
}

export function LiveTranscript({ call }: { call: CallDetail }) {
  const end = useRef<HTMLDivElement>(null);
  const entryCount = call.turns.length + call.toolUses.length;
  useEffect(() => {
    if (entryCount > 0) end.current?.scrollIntoView({ block: 'nearest' });
  }, [entryCount]);
  const isOver = call.status === 'ended' || call.status === 'wrapping_up';
  return (
    <Card title="Transcript">
      {entryCount > 0 ? <Transcript call={call} player={null} isLive /> : null}
      {isOver ? (
        entryCount === 0 ? (
          <p className="py-6 text-center text-sm text-ink-subtle">Nothing was said.</p>
        ) : null
      ) : (
        <p className="flex items-center gap-2 pt-2 text-sm text-ink-subtle">
          <Spinner className="size-3.5" />
          {call.status === 'in_progress'
            ? 'Listening…'
            : 'The conversation appears here as soon as somebody answers.'}
        </p>
      )}
      <div ref={end} className="scroll-mb-8" />
    </Card>
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

export function ProgressCard({ call }: { call: CallDetail }) {
  const current = STEPS.findIndex((step) => step.status === call.status);
  return (
    <section
      aria-label="Progress"
      className="rounded-lg border border-line bg-surface px-4 py-3.5 shadow-card sm:px-5"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <ol className="flex flex-wrap items-center gap-x-1 gap-y-2 text-sm">
          {STEPS.map((step, index) => (
            <li
              key={step.status}
              aria-current={index === current ? 'step' : undefined}
              className="flex items-center gap-1"
            >
              {index > 0 ? <span aria-hidden="true" className="mx-1 h-px w-3 bg-line-strong sm:w-5" /> : null}
              <StepMark
                state={
                  index < current || call.status === 'ended' ? 'done' : index === current ? 'now' : 'later'
                }
              />
              <span className={classNames(index === current ? 'font-medium text-ink' : 'text-ink-subtle')}>
                {step.label}
              </span>
            </li>
          ))}
        </ol>
        <span className="flex items-center gap-3">
          <Elapsed call={call} />
          {call.status === 'queued' ? <CancelButton callId={call.id} /> : null}
        </span>
      </div>
      <output className="sr-only">Call state: {STEPS[current]?.label}</output>
    </section>
  );
}

function StepMark({ state }: { state: 'done' | 'now' | 'later' }) {
  if (state === 'done') {
    return (
      <span className="flex size-4 items-center justify-center rounded-full bg-accent text-accent-contrast">
        <Check aria-hidden="true" strokeWidth={3} className="size-2.5" />
        <span className="sr-only">Done:</span>
      </span>
    );
  }
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'size-4 rounded-full border-2',
        state === 'now' ? 'animate-live border-accent bg-accent-soft' : 'border-line-strong',
      )}
    />
  );
}

function Elapsed({ call }: { call: CallDetail }) {
  const isTalking = call.answeredAt !== null && call.endedAt === null;
  const nowMs = useNow(isTalking);
  if (call.answeredAt === null || (isTalking && nowMs === null)) return null;
  const seconds = isTalking ? ((nowMs ?? 0) - Date.parse(call.answeredAt)) / 1000 : call.durationSeconds;
  return (
    <span className="figures text-sm text-ink-muted" aria-label="Time since the answer">
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
