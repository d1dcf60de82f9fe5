'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Ban } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { addOptOut, type OptOut } from '#lib/features/opt-outs/contract.ts';
import { optOutQueries } from '#lib/features/opt-outs/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

/** Whether the person is called again; members take their number out of all calls. Nothing where there is no number. */
export function OptOutCard({ call }: { call: CallDetail }) {
  const { id: workspaceId, role } = useWorkspace();
  const number = call.humanPhoneNumber;
  const isNumber = call.channel === 'call' && /^\+\d+$/.test(number);
  const { data } = useQuery({ ...optOutQueries.ofNumber(workspaceId, number), enabled: isNumber });
  if (!isNumber || data === undefined || (data === null && role === 'viewer')) return null;
  return (
    <Card title="Calls to this person">
      {data === null ? <NeverAgain number={number} /> : <OptedOut optOut={data} />}
    </Card>
  );
}

function OptedOut({ optOut }: { optOut: OptOut }) {
  const { id: workspaceId } = useWorkspace();
  return (
    <p className="text-sm text-pretty text-ink">
      {formatPhoneNumber(optOut.number)} is not called again: on the{' '}
      <Link
        href={workspacePath(workspaceId, 'settings/opt-outs')}
        className="rounded-sm text-accent-text underline"
      >
        opt-out list
      </Link>{' '}
      since <Moment iso={optOut.createdAt} />
      {optOut.source === 'call' ? ', as they asked on a call' : `, added by ${optOut.addedBy}`}.
      {optOut.note ? ` “${optOut.note}”` : ''}
    </p>
  );
}

function NeverAgain({ number }: { number: string }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const shown = formatPhoneNumber(number);
  const add = useMutation({
    mutationFn: () => callOperation(addOptOut, { body: { number } }, { workspaceId }),
    onSuccess: () => toast({ title: `${shown} is not called again` }),
    onError: (error) => toast({ tone: 'danger', title: describeFailure(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: optOutQueries.root(workspaceId) }),
  });
  return (
    <ConfirmDialog
      title={`Never call ${shown} again?`}
      description="Calls to it are refused from now on, and those that wait end undialled. It stands on the opt-out list, from which admins can take it."
      confirmLabel="Never call again"
      onConfirm={() => add.mutate()}
      trigger={
        <Button isBusy={add.isPending}>
          <Ban aria-hidden="true" />
          Never call again
        </Button>
      }
    />
  );
}
