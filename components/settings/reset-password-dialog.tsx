'use client';

import { useState } from 'react';
import { KeyRound } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type Member, resetMemberPassword } from '#lib/features/members/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { nameOf } from './member-name.ts';

export function ResetPasswordDialog({ member }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const operation = useOperationForm({
    schema: resetMemberPassword.body,
    values: { password: '' },
    save: (body) =>
      callOperation(resetMemberPassword, { params: { userId: member.userId }, body }, { workspaceId }),
    onSaved: () => {
      setIsOpen(false);
      toast({
        title: `${nameOf(member)} has a new password`,
        description: 'They are signed out everywhere.',
      });
    },
  });
  return (
    <FormDialog
      size="sm"
      title={`New password for ${nameOf(member)}`}
      description="They are signed out everywhere and sign in with this one."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        operation.form.reset({ password: '' });
      }}
      trigger={
        <IconButton
          size="sm"
          label={`Set a new password for ${nameOf(member)}`}
          icon={<KeyRound aria-hidden="true" />}
        />
      }
      operation={operation}
      saveLabel="Set password"
    >
      <TextField
        form={operation.form}
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        isRequired
      />
    </FormDialog>
  );
}
