'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { LogOut, UserMinus } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { changeMemberRole, type Member, removeMember } from '#lib/features/members/contract.ts';
import { memberQueries } from '#lib/features/members/queries.ts';
import { profileQueries } from '#lib/features/profile/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { nameOf } from './member-name.ts';
import { AddMemberDialog } from './add-member-dialog.tsx';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';
import { ROLE_OPTIONS } from './role-options.ts';

export function MembersView() {
  const { id: workspaceId, role } = useWorkspace();
  const { data: members } = useSuspenseQuery(memberQueries.list(workspaceId));
  const { data: me } = useSuspenseQuery(profileQueries.me());
  const isOwner = role === 'owner';
  return (
    <div className="flex max-w-5xl flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-sm text-ink-muted">
          {isOwner
            ? 'Who may look at and change this workspace.'
            : 'Who may look at and change this workspace. Owners add and remove people.'}
        </p>
        {isOwner ? <AddMemberDialog /> : null}
      </div>
      <Table caption="Members">
        <TableHead>
          <TableHeader>Person</TableHeader>
          <TableHeader>Role</TableHeader>
          <TableHeader className="hidden md:table-cell">Last seen</TableHeader>
          <TableHeader className="hidden lg:table-cell">Joined</TableHeader>
          <TableHeader>
            <span className="sr-only">Actions</span>
          </TableHeader>
        </TableHead>
        <TableBody>
          {members.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isMe={member.userId === me.user.id}
              isOwner={isOwner}
            />
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function MemberRow({ member, isMe, isOwner }: { member: Member; isMe: boolean; isOwner: boolean }) {
  return (
    <TableRow>
      <TableCell className="w-full max-w-0 min-w-28 sm:min-w-36">
        <p className="flex items-center gap-2 font-medium text-ink">
          <span className="truncate">{nameOf(member)}</span>
          {isMe ? <Badge>You</Badge> : null}
        </p>
        <p className="truncate text-xs text-ink-subtle">
          {member.name === null ? 'Has not been here yet' : member.email}
        </p>
      </TableCell>
      <TableCell>
        {isOwner ? <RoleSelect member={member} /> : <span className="capitalize">{member.role}</span>}
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted md:table-cell">
        {member.lastSeenAt ? <Moment iso={member.lastSeenAt} /> : 'not yet'}
      </TableCell>
      <TableCell className="hidden whitespace-nowrap text-ink-muted lg:table-cell">
        <Moment iso={member.joinedAt} />
      </TableCell>
      <TableCell>
        <span className="flex justify-end gap-1 max-sm:flex-col">
          {isOwner && !isMe ? <ResetPasswordDialog member={member} /> : null}
          {isOwner || isMe ? <RemoveMember member={member} isMe={isMe} /> : null}
        </span>
      </TableCell>
    </TableRow>
  );
}

function RoleSelect({ member }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (role: Member['role']) =>
      callOperation(changeMemberRole, { params: { userId: member.userId }, body: { role } }, { workspaceId }),
    onSuccess: ({ data }) => {
      queryClient.setQueryData(memberQueries.list(workspaceId).queryKey, (known) =>
        known?.map((other) => (other.userId === data.userId ? data : other)),
      );
      toast({ title: `${nameOf(data)} is ${data.role} now` });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <Select
      aria-label={`Role of ${nameOf(member)}`}
      options={ROLE_OPTIONS}
      value={change.isPending ? change.variables : member.role}
      onValueChange={(role) => {
        const option = ROLE_OPTIONS.find((each) => each.value === role);
        if (option && option.value !== member.role) change.mutate(option.value);
      }}
      disabled={change.isPending}
      className="w-24! sm:w-28!"
    />
  );
}

function RemoveMember({ member, isMe }: { member: Member; isMe: boolean }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(removeMember, { params: { userId: member.userId } }, { workspaceId }),
    onSuccess: async () => {
      if (isMe) {
        router.push('/');
        return;
      }
      toast({ title: `${nameOf(member)} was removed` });
      await queryClient.invalidateQueries({ queryKey: memberQueries.list(workspaceId).queryKey });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={isMe ? 'Leave this workspace?' : `Remove ${nameOf(member)}?`}
      description={
        isMe
          ? 'You lose access to everything in it. An owner can add you again.'
          : `${nameOf(member)} loses access to this workspace at once. The account stays, and can be added again.`
      }
      confirmLabel={isMe ? 'Leave' : 'Remove'}
      onConfirm={() => remove.mutate()}
      trigger={
        <IconButton
          size="sm"
          label={isMe ? 'Leave this workspace' : `Remove ${nameOf(member)}`}
          icon={isMe ? <LogOut aria-hidden="true" /> : <UserMinus aria-hidden="true" />}
          disabled={remove.isPending}
        />
      }
    />
  );
}
