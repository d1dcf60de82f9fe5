'use client';

import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Headphones, PhoneForwarded, PhoneOff } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { PhoneField } from '#components/forms/phone-field.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { orderCall, transferForm } from '#lib/features/calls/supervision/contract.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { transferNumbersOf } from './transfer-numbers.ts';
import { useListening } from './use-listening.ts';

/** What a member does with a call while it runs. */
export function LiveControls({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  const isUnderWay = call.status === 'dialing' || call.status === 'ringing' || call.status === 'in_progress';
  if (workspace.role === 'viewer' || !isUnderWay) return null;
  return (
    <section aria-label="This call" className="mt-3 flex flex-col gap-3 border-t border-line pt-3">
      <ListenIn call={call}>
        {call.status === 'in_progress' && call.carrier !== 'browser' ? <TransferCall call={call} /> : null}
        <EndCall call={call} />
      </ListenIn>
    </section>
  );
}

function ListenIn({ call, children }: { call: CallDetail; children: ReactNode }) {
  const workspace = useWorkspace();
  const listening = useListening(workspace.id, call.id);
  const isOn = listening.phase !== 'off';
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {call.status === 'in_progress' ? (
          <Button
            aria-pressed={isOn}
            isBusy={listening.phase === 'connecting'}
            onClick={() => (isOn ? listening.stop() : void listening.start())}
          >
            <Headphones aria-hidden="true" />
            {isOn ? 'Stop listening' : 'Listen in'}
          </Button>
        ) : null}
        {children}
      </div>
      {listening.phase === 'listening' ? (
        <>
          <p className="text-sm text-ink-subtle short:sr-only">
            You hear both sides; nobody on the call hears you. The audit log notes that you listened.
          </p>
          <Meters read={listening.levels} />
        </>
      ) : null}
      <output className="text-sm text-pretty text-danger-text empty:hidden">{listening.problem}</output>
    </>
  );
}

const METER_MS = 100;

/** How loud each side is, drawn ten times a second. */
function Meters({ read }: { read: () => { agent: number; human: number } }) {
  const agent = useRef<HTMLDivElement>(null);
  const human = useRef<HTMLDivElement>(null);
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });
  useEffect(() => {
    const timer = setInterval(() => {
      const levels = latest.current();
      draw(agent.current, levels.agent);
      draw(human.current, levels.human);
    }, METER_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-2 text-sm">
      <span aria-hidden="true" className="text-ink-subtle">
        Agent
      </span>
      <Meter meter={agent} label="Loudness of the agent" className="bg-agent" />
      <span aria-hidden="true" className="text-ink-subtle">
        Human
      </span>
      <Meter meter={human} label="Loudness of the human" className="bg-human" />
    </div>
  );
}

type MeterProps = { meter: RefObject<HTMLDivElement | null>; label: string; className: string };

function Meter({ meter, label, className }: MeterProps) {
  return (
    <div
      ref={meter}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- <meter> cannot be drawn alike in all browsers
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={0}
      className="h-1.5 overflow-hidden rounded-full bg-line"
    >
      <div className={`h-full origin-left rounded-full ${className}`} style={{ transform: 'scaleX(0)' }} />
    </div>
  );
}

function draw(meter: HTMLDivElement | null, level: number): void {
  meter?.setAttribute('aria-valuenow', String(Math.round(level * 100)));
  if (meter?.firstElementChild instanceof HTMLElement)
    meter.firstElementChild.style.transform = `scaleX(${level.toFixed(2)})`;
}

function EndCall({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const isAnswered = call.status === 'in_progress';
  const end = useMutation({
    mutationFn: () =>
      callOperation(
        orderCall,
        { params: { callId: call.id }, body: { kind: 'end' } },
        { workspaceId: workspace.id },
      ),
    onSuccess: () =>
      toast({ title: isAnswered ? 'The agent says goodbye and hangs up' : 'The line is hung up' }),
    onError: (error) =>
      toast({ tone: 'danger', title: 'The call could not be ended', description: error.message }),
    onSettled: () => {
      setOpen(false);
      return queryClient.invalidateQueries({ queryKey: conversationQueries.root(workspace.id) });
    },
  });
  return (
    <ConfirmDialog
      title="End this call?"
      description={
        isAnswered
          ? 'The agent stops what it is saying, says goodbye and hangs up. The audit log notes that you ended it.'
          : 'Nobody has answered yet. The line is hung up at once.'
      }
      confirmLabel="End call"
      isOpen={isOpen}
      onOpenChange={setOpen}
      isBusy={end.isPending}
      onConfirm={() => end.mutate()}
      trigger={
        <Button variant="danger">
          <PhoneOff aria-hidden="true" />
          End call
        </Button>
      }
    />
  );
}

function TransferCall({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const operation = useOperationForm({
    schema: transferForm,
    values: { to: '' },
    save: ({ to }) =>
      callOperation(
        orderCall,
        { params: { callId: call.id }, body: { kind: 'transfer', to } },
        { workspaceId: workspace.id },
      ),
    onSaved: () => {
      setOpen(false);
      toast({ title: 'The agent says that it hands over' });
    },
  });
  return (
    <FormDialog
      operation={operation}
      title="Transfer this call"
      description="The agent tells the person and hands the call over. Where nobody answers, the agent goes on with the call."
      saveLabel="Transfer"
      size="sm"
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button>
          <PhoneForwarded aria-hidden="true" />
          Transfer
        </Button>
      }
    >
      <PhoneField form={operation.form} name="to" label="Number" placeholder="+1 555 017 7700" isRequired />
      <KnownNumbers onChoose={(to) => operation.form.setValue('to', to, { shouldDirty: true })} />
    </FormDialog>
  );
}

/** Where agents of the workspace transfer to, so that nobody has to know the number by heart. */
function KnownNumbers({ onChoose }: { onChoose: (number: string) => void }) {
  const workspace = useWorkspace();
  const agents = useQuery(agentQueries.all(workspace.id));
  const known = transferNumbersOf(agents.data ?? []);
  if (known.length === 0) return null;
  return (
    <ul aria-label="Numbers of your agents" className="flex flex-wrap gap-2">
      {known.map(({ number, names }) => (
        <li key={number} className="min-w-0">
          <Button size="sm" onClick={() => onChoose(number)}>
            <span className="figures">{formatPhoneNumber(number)}</span>
            <span className="truncate text-ink-subtle">{new Intl.ListFormat('en-US').format(names)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
