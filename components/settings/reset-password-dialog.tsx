'use client';

import { KeyRound } from 'lucide-react';
import { OperationDialog } from '#components/forms/operation-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type Member, resetMemberPassword } from '#lib/features/members/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { nameOf } from './member-name.ts';

export function ResetPasswordDialog({ member }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  return (
    <OperationDialog
      size="sm"
      title={`New password for ${nameOf(member)}`}
      description="They are signed out everywhere and sign in with this one."
      trigger={
        <IconButton
          size="sm"
          label={`Set a new password for ${nameOf(member)}`}
          icon={<KeyRound aria-hidden="true" />}
        />
      }
      saveLabel="Set password"
      schema={resetMemberPassword.body}
      values={{ password: '' }}
      save={(body) =>
        callOperation(resetMemberPassword, { params: { userId: member.userId }, body }, { workspaceId })
      }
      onSaved={() => {
        toast({
          title: `${nameOf(member)} has a new password`,
          description: 'They are signed out everywhere.',
        });
      }}
    >
      {(form) => (
        <TextField
          form={form}
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          isRequired
        />
      )}
    </OperationDialog>
  );
}
