'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Monitor } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { revokeOtherSessions, revokeSession, type Session } from '#lib/features/profile/contract.ts';
import { profileQueries } from '#lib/features/profile/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { describeUserAgent } from './user-agent.ts';

function useRevocations() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const refresh = () => queryClient.invalidateQueries({ queryKey: profileQueries.sessions().queryKey });
  const onError = (error: unknown) => toast({ title: describeFailure(error), tone: 'danger' });
  const revokeOthers = useMutation({
    mutationFn: () => callOperation(revokeOtherSessions, {}),
    onSuccess: async ({ data }) => {
      toast({ title: `Signed out of ${data.revoked} other ${data.revoked === 1 ? 'session' : 'sessions'}` });
      await refresh();
    },
    onError,
  });
  const revoke = useMutation({
    mutationFn: (session: Session) => callOperation(revokeSession, { params: { sessionId: session.id } }),
    onSuccess: async () => {
      toast({ title: 'Signed out there' });
      await refresh();
    },
    onError,
  });
  return { revoke, revokeOthers };
}

export function SessionsCard() {
  const { data: sessions } = useSuspenseQuery(profileQueries.sessions());
  const { revoke, revokeOthers } = useRevocations();
  return (
    <Card
      title="Sessions"
      description="Where you are signed in. Signing one out takes effect at once."
      isFlush
      actions={
        sessions.length > 1 ? (
          <ConfirmDialog
            title="Sign out everywhere else?"
            description="Every session but this one ends at once."
            confirmLabel="Sign out elsewhere"
            onConfirm={() => revokeOthers.mutate()}
            trigger={
              <Button size="sm" isBusy={revokeOthers.isPending}>
                Sign out everywhere else
              </Button>
            }
          />
        ) : null
      }
    >
      <ul className="divide-y divide-line">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={revoke.isPending && revoke.variables.id === session.id}
            onRevoke={() => revoke.mutate(session)}
          />
        ))}
      </ul>
    </Card>
  );
}

type SessionRowProps = { session: Session; isBusy: boolean; onRevoke: () => void };

function SessionRow({ session, isBusy, onRevoke }: SessionRowProps) {
  return (
    <li className="flex items-center justify-between gap-3 px-4 py-3 sm:px-5">
      <div className="flex min-w-0 items-center gap-3">
        <Monitor aria-hidden="true" className="size-4 shrink-0 text-ink-subtle" />
        <div className="min-w-0 text-sm">
          <p className="flex flex-wrap items-center gap-2 font-medium text-ink">
            <span title={session.userAgent ?? undefined}>{describeUserAgent(session.userAgent)}</span>
            {session.isCurrent ? <Badge tone="success">This session</Badge> : null}
          </p>
          <p className="text-xs text-ink-subtle">
            {session.ipAddress ? <span className="font-mono">{session.ipAddress}</span> : 'Unknown address'}
            {' · since '}
            <Moment iso={session.createdAt} />
          </p>
        </div>
      </div>
      {session.isCurrent ? null : (
        <Button
          size="sm"
          isBusy={isBusy}
          onClick={onRevoke}
          aria-label={`Sign out ${describeUserAgent(session.userAgent)}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
