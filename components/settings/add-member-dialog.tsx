'use client';

import { useQueryClient } from '@tanstack/react-query';
import { UserPlus } from 'lucide-react';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { addMember } from '#lib/features/members/contract.ts';
import { memberQueries } from '#lib/features/members/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { ROLE_OPTIONS } from './role-options.ts';
import { nameOf } from './member-name.ts';

const NOBODY = { email: '', name: undefined, password: undefined, role: 'member' as const };

export function AddMemberDialog() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <OperationDialog
      title="Add a person"
      description="Somebody without an account here gets one with the name and password you enter. Hand the password over in person."
      trigger={<NewButton icon={UserPlus}>Add a person</NewButton>}
      saveLabel="Add"
      schema={addMember.body}
      values={NOBODY}
      save={(body) => callOperation(addMember, { body }, { workspaceId })}
      onSaved={({ data }) => {
        toast({ title: `${nameOf(data)} was added` });
        void queryClient.invalidateQueries({ queryKey: memberQueries.list(workspaceId).queryKey });
      }}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="email"
            label="E-mail address"
            type="email"
            isRequired
            placeholder="sam@example.com"
          />
          <SelectField form={form} name="role" label="Role" options={ROLE_OPTIONS} />
          <TextField form={form} name="name" label="Name" isOptional description="For a new account." />
          <TextField
            form={form}
            name="password"
            label="First password"
            type="password"
            autoComplete="new-password"
            isOptional
            description="For a new account. They can change it after signing in."
          />
        </>
      )}
    </OperationDialog>
  );
}
