'use client';

import { useState } from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link2, Link2Off } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type CallShare, createShare, revokeShare } from '#lib/features/shares/contract.ts';
import { shareQueries } from '#lib/features/shares/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const TIMES = [
  { value: '1', label: 'One hour' },
  { value: '24', label: 'One day' },
  { value: '72', label: 'Three days' },
  { value: '168', label: 'One week' },
  { value: '720', label: '30 days' },
];

/** Links that show this one conversation to people without an account. */
export function SharesCard({ callId }: { callId: string }) {
  const workspace = useWorkspace();
  const { data: shares, error } = useQuery(shareQueries.ofCall(workspace.id, callId));
  return (
    <Card title="Share links">
      <div className="flex flex-col gap-3 text-sm">
        {shares === undefined ? (
          error ? (
            <p role="alert" className="text-danger-text">
              The links could not be loaded: {describeFailure(error)}
            </p>
          ) : (
            <Skeleton className="h-8" />
          )
        ) : shares.length > 0 ? (
          <ul aria-label="Share links" className="flex flex-col gap-3">
            {shares.map((share) => (
              <ShareItem key={share.id} callId={callId} share={share} />
            ))}
          </ul>
        ) : workspace.role === 'viewer' ? (
          <p className="text-ink-subtle">Nobody has shared it.</p>
        ) : null}
        {workspace.role === 'viewer' ? null : <NewShare callId={callId} />}
      </div>
    </Card>
  );
}

/** Changes links and shows the list anew. */
function useShareChange<Input>(callId: string, change: (input: Input) => Promise<unknown>, done: string) {
  const workspace = useWorkspace();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => toast({ title: done }),
    onError: (error) => toast({ tone: 'danger', title: describeFailure(error) }),
    onSettled: () => queryClient.invalidateQueries(shareQueries.ofCall(workspace.id, callId)),
  });
}

function NewShare({ callId }: { callId: string }) {
  const { id: workspaceId } = useWorkspace();
  const [hours, setHours] = useState('24');
  const create = useShareChange(
    callId,
    (given: number) =>
      callOperation(createShare, { params: { callId }, body: { hours: given } }, { workspaceId }),
    'The link is made',
  );
  return (
    <div className="flex flex-col gap-2">
      <p className="text-xs text-pretty text-ink-subtle">
        Whoever has a link sees summary, transcript and recording, without signing in, and nothing else.
      </p>
      <div className="flex items-center gap-2">
        <Select aria-label="How long the link works" value={hours} onValueChange={setHours} options={TIMES} />
        <Button isBusy={create.isPending} onClick={() => create.mutate(Number(hours))}>
          <Link2 aria-hidden="true" />
          Make a link
        </Button>
      </div>
    </div>
  );
}

function ShareItem({ callId, share }: { callId: string; share: CallShare }) {
  const { id: workspaceId } = useWorkspace();
  const revoke = useShareChange(
    callId,
    () => callOperation(revokeShare, { params: { callId, shareId: share.id } }, { workspaceId }),
    'The link shows nothing any more',
  );
  return (
    <li className="flex items-start gap-1">
      <div className="min-w-0 flex-1">
        <p className={share.state === 'open' ? 'text-ink' : 'text-ink-subtle'}>
          {share.state === 'revoked' ? (
            'Revoked'
          ) : (
            <>
              {share.state === 'open' ? 'Until ' : 'Expired '}
              <Moment iso={share.expiresAt} />
            </>
          )}
        </p>
        <p className="text-xs wrap-anywhere text-ink-subtle">
          by {share.by},{' '}
          {share.lastOpenedAt === null ? (
            'never opened'
          ) : (
            <>
              opened {share.openedCount === 1 ? 'once' : `${share.openedCount} times`}, last{' '}
              <Moment iso={share.lastOpenedAt} />
            </>
          )}
        </p>
      </div>
      {share.url === null ? null : <CopyButton text={share.url} label="Copy the link" />}
      {share.mayRevoke ? (
        <ConfirmDialog
          title="Revoke this link?"
          description="Whoever has it sees nothing any more, from now on."
          confirmLabel="Revoke"
          onConfirm={() => revoke.mutate(undefined)}
          trigger={<IconButton size="sm" label="Revoke the link" icon={<Link2Off aria-hidden="true" />} />}
        />
      ) : null}
    </li>
  );
}
