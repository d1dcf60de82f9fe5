'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { InlineCode } from '#components/ui/code-block.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type ApiKey, revokeKey } from '#lib/features/keys/contract.ts';
import { keyQueries } from '#lib/features/keys/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { CreateKeyDialog } from './create-key-dialog.tsx';

export function ApiKeys() {
  const { id: workspaceId } = useWorkspace();
  const { data: keys } = useSuspenseQuery(keyQueries.list(workspaceId));
  const mayManage = useMayManage();
  const [showsRevoked, setShowsRevoked] = useState(false);
  const shown = showsRevoked ? keys : keys.filter((key) => key.revokedAt === null);
  const revokedCount = keys.filter((key) => key.revokedAt !== null).length;
  return (
    <div className="flex max-w-5xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-ink-muted">
          Your systems send a key in the <InlineCode>x-api-key</InlineCode> header. A key reaches everything
          in this workspace.
        </p>
        {mayManage ? <CreateKeyDialog /> : null}
      </div>
      {shown.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No API keys"
          description="Create one to place calls and read conversations from your own system."
        />
      ) : (
        <Table caption="API keys">
          <TableHead>
            <TableHeader>Name</TableHeader>
            <TableHeader>Key</TableHeader>
            <TableHeader>State</TableHeader>
            <TableHeader className="hidden md:table-cell">Last used</TableHeader>
            <TableHeader className="hidden lg:table-cell">Created</TableHeader>
            <TableHeader>
              <span className="sr-only">Actions</span>
            </TableHeader>
          </TableHead>
          <TableBody>
            {shown.map((key) => (
              <KeyRow key={key.id} apiKey={key} mayManage={mayManage} />
            ))}
          </TableBody>
        </Table>
      )}
      {revokedCount > 0 ? (
        <Field layout="check" label={`Show revoked keys (${revokedCount})`}>
          <Checkbox checked={showsRevoked} onCheckedChange={(isOn) => setShowsRevoked(isOn === true)} />
        </Field>
      ) : null}
    </div>
  );
}

function KeyRow({ apiKey, mayManage }: { apiKey: ApiKey; mayManage: boolean }) {
  const isRevoked = apiKey.revokedAt !== null;
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-28 truncate font-medium text-ink">{apiKey.name}</TableCell>
      <TableCell className="font-mono text-xs whitespace-nowrap text-ink-muted">{`…${apiKey.lastFour}`}</TableCell>
      <TableCell>
        <StatusDot tone={isRevoked ? 'neutral' : 'success'}>{isRevoked ? 'Revoked' : 'Active'}</StatusDot>
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        {apiKey.lastUsedAt ? <Moment iso={apiKey.lastUsedAt} /> : 'never'}
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        <Moment iso={apiKey.createdAt} />
        <span className="block text-xs text-ink-subtle">{apiKey.createdBy}</span>
      </TableCell>
      <TableCell className="text-right">
        {mayManage && !isRevoked ? <RevokeKey apiKey={apiKey} /> : null}
      </TableCell>
    </TableRow>
  );
}

function RevokeKey({ apiKey }: { apiKey: ApiKey }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const revoke = useMutation({
    mutationFn: () => callOperation(revokeKey, { params: { keyId: apiKey.id } }, { workspaceId }),
    onSuccess: async () => {
      toast({
        title: `${apiKey.name} is revoked`,
        description: 'Requests with it are refused within five seconds.',
      });
      await queryClient.invalidateQueries({ queryKey: keyQueries.list(workspaceId).queryKey });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.name}?`}
      description={`Every system that uses the key ending in ${apiKey.lastFour} is refused from then on. This cannot be undone.`}
      confirmLabel="Revoke key"
      onConfirm={() => revoke.mutate()}
      trigger={
        <Button size="sm" isBusy={revoke.isPending} aria-label={`Revoke ${apiKey.name}`}>
          Revoke
        </Button>
      }
    />
  );
}
