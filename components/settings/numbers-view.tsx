'use client';

import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Phone, Trash2 } from 'lucide-react';
import { Link } from '#components/ui/link.tsx';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge, StatusDot } from '#components/ui/badge.tsx';
import { buttonClasses, IconButton } from '#components/ui/button.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { deleteNumber, type PhoneNumber, updateNumber } from '#lib/features/numbers/contract.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { CreateNumberDialog } from './create-number-dialog.tsx';
import { EditNumberDialog } from './edit-number-dialog.tsx';
import { TestNumberDialog } from './test-number-dialog.tsx';

export function NumbersView() {
  const { id: workspaceId } = useWorkspace();
  const { data: numbers } = useSuspenseQuery(numberQueries.list(workspaceId));
  const mayManage = useMayManage();
  return (
    <div className="flex max-w-6xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-ink-muted">
          An agent answers calls to its numbers and places calls from them. Simulated numbers call nobody: the
          last two digits of the number they call decide what happens.
        </p>
        {mayManage ? (
          <span className="flex flex-wrap gap-2">
            <Link href={workspacePath(workspaceId, 'settings/numbers/setup')} className={buttonClasses()}>
              Set up carriers
            </Link>
            <CreateNumberDialog />
          </span>
        ) : null}
      </div>
      {numbers.length === 0 ? (
        <EmptyState
          icon={<Phone />}
          title="No numbers yet"
          description="Create a simulated number and assign it to an agent; then calls can be placed from it."
          actions={mayManage ? <CreateNumberDialog /> : null}
        />
      ) : (
        <Table caption="Phone numbers">
          <TableHead>
            <TableHeader>Number</TableHeader>
            <TableHeader className="hidden sm:table-cell">Agent</TableHeader>
            <TableHeader className="hidden sm:table-cell">Carrier</TableHeader>
            <TableHeader className="hidden lg:table-cell">Last call in</TableHeader>
            <TableHeader className="hidden lg:table-cell">Last call out</TableHeader>
            <TableHeader className="hidden 2xl:table-cell">Calls at once</TableHeader>
            <TableHeader>
              <span className="sr-only">Actions</span>
            </TableHeader>
          </TableHead>
          <TableBody>
            {numbers.map((number) => (
              <NumberRow key={number.id} number={number} mayManage={mayManage} />
            ))}
          </TableBody>
        </Table>
      )}
    </div>
  );
}

/** On a phone, agent and carrier stand under the number. */
function NumberRow({ number, mayManage }: { number: PhoneNumber; mayManage: boolean }) {
  const refresh = useRefreshNumbers();
  const agent = mayManage ? (
    <AgentSelect number={number} />
  ) : (
    (number.agent?.name ?? <span className="text-ink-subtle">none</span>)
  );
  return (
    <TableRow>
      <TableCell className="max-sm:py-3">
        <span className="figures flex items-center gap-1 font-medium whitespace-nowrap text-ink">
          {formatPhoneNumber(number.number)}
          <CopyButton text={number.number} label={`Copy ${number.number}`} />
        </span>
        <span className="mt-2 flex flex-col items-start gap-2 sm:hidden">
          {agent}
          <span>
            <CarrierState number={number} />
          </span>
        </span>
      </TableCell>
      <TableCell className="hidden sm:table-cell">{agent}</TableCell>
      <TableCell className="hidden sm:table-cell">
        <CarrierState number={number} />
      </TableCell>
      <TableCell className="hidden lg:table-cell">
        <LastCall call={number.lastIn} />
      </TableCell>
      <TableCell className="hidden lg:table-cell">
        <LastCall call={number.lastOut} />
      </TableCell>
      <TableCell className="figures hidden text-ink-muted 2xl:table-cell">
        {number.maxConcurrentCalls}
      </TableCell>
      <TableCell className="max-sm:py-3 max-sm:align-top">
        {mayManage ? (
          <span className="flex justify-end gap-1">
            <TestNumberDialog number={number} />
            <EditNumberDialog number={number} onSaved={() => void refresh()} />
            <DeleteNumber number={number} />
          </span>
        ) : null}
      </TableCell>
    </TableRow>
  );
}

const STATE_TONES = {
  listening: 'success',
  registered: 'success',
  registering: 'neutral',
  failed: 'danger',
} as const;

const STATE_WORDS = {
  listening: 'Takes calls since',
  registered: 'Registered since',
  registering: 'Registering since',
  failed: 'Takes no calls since',
} as const;

/** Whether the carrier is set up, and what it says of itself where it can: SIP listens, and registers at a trunk. */
function CarrierState({ number: { carrier, isCarrierReady, carrierState } }: { number: PhoneNumber }) {
  return (
    <>
      <Badge tone={isCarrierReady ? 'neutral' : 'warning'}>
        {isCarrierReady ? carrier : `${carrier}: not set up`}
      </Badge>
      {carrierState ? (
        <span className="mt-1 block text-xs text-ink-subtle">
          <StatusDot tone={STATE_TONES[carrierState.state]}>
            {STATE_WORDS[carrierState.state]} <Moment iso={carrierState.since} />
          </StatusDot>
          {carrierState.reason === null ? null : (
            <span className="block max-w-56">{carrierState.reason}</span>
          )}
        </span>
      ) : carrier === 'sip' && isCarrierReady ? (
        <span className="mt-1 block text-xs text-ink-subtle">
          <StatusDot tone="danger">No process takes calls</StatusDot>
        </span>
      ) : null}
    </>
  );
}

/** That a call reached the number, or went out from it, is the proof that its carrier works. */
function LastCall({ call }: { call: PhoneNumber['lastIn'] }) {
  const { id: workspaceId } = useWorkspace();
  if (call === null) return <span className="text-ink-subtle">never</span>;
  return (
    <Link
      href={workspacePath(workspaceId, `conversations/${encodeURIComponent(call.conversationId)}`)}
      title={call.endReason ?? undefined}
      className="block rounded-sm hover:underline"
    >
      <StatusDot tone={call.isConnected ? 'success' : call.endReason === null ? 'neutral' : 'danger'}>
        <Moment iso={call.at} />
      </StatusDot>
      {call.isConnected || call.endReason === null ? null : (
        <span className="block max-w-44 truncate text-xs text-ink-subtle">{call.endReason}</span>
      )}
    </Link>
  );
}

/** What shows numbers with their agents, after either changed. */
function useRefreshNumbers(): () => Promise<unknown> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: numberQueries.list(workspaceId).queryKey }),
      queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) }),
    ]);
}

function AgentSelect({ number }: { number: PhoneNumber }) {
  const { id: workspaceId } = useWorkspace();
  const { data: agents } = useQuery(agentQueries.list(workspaceId));
  const refresh = useRefreshNumbers();
  const toast = useToast();
  const assign = useMutation({
    mutationFn: (agentId: string) =>
      callOperation(
        updateNumber,
        { params: { numberId: number.id }, body: { agentId: agentId === '' ? null : agentId } },
        { workspaceId },
      ),
    onSuccess: async ({ data }) => {
      toast({
        title: data.agent ? `${data.agent.name} answers ${data.number}` : `Nobody answers ${data.number}`,
      });
      await refresh();
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  const known = agents ?? (number.agent ? [number.agent] : []);
  const agentId = number.agent?.id ?? '';
  return (
    <Select
      aria-label={`Agent of ${number.number}`}
      options={[
        { value: '', label: 'No agent' },
        ...known.map((agent) => ({ value: agent.id, label: agent.name })),
      ]}
      value={assign.isPending ? assign.variables : agentId}
      onValueChange={(value) => (value === agentId ? undefined : assign.mutate(value))}
      disabled={assign.isPending}
      className="w-44!"
    />
  );
}

function DeleteNumber({ number }: { number: PhoneNumber }) {
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefreshNumbers();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(deleteNumber, { params: { numberId: number.id } }, { workspaceId }),
    onSuccess: async () => {
      toast({ title: `${number.number} was deleted` });
      await refresh();
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Delete ${number.number}?`}
      description="No calls can be placed from it or come in on it. Its conversations stay."
      confirmLabel="Delete number"
      onConfirm={() => remove.mutate()}
      trigger={
        <IconButton
          size="sm"
          label={`Delete ${number.number}`}
          icon={<Trash2 aria-hidden="true" />}
          disabled={remove.isPending}
        />
      }
    />
  );
}
