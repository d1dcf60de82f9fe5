'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { UserPlus } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
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
  const [isOpen, setIsOpen] = useState(false);
  const operation = useOperationForm({
    schema: addMember.body,
    values: NOBODY,
    save: (body) => callOperation(addMember, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setIsOpen(false);
      toast({ title: `${nameOf(data)} was added` });
      void queryClient.invalidateQueries({ queryKey: memberQueries.list(workspaceId).queryKey });
    },
  });
  return (
    <FormDialog
      title="Add a person"
      description="Somebody without an account here gets one with the name and password you enter. Hand the password over in person."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        operation.form.reset(NOBODY);
      }}
      trigger={
        <Button variant="primary">
          <UserPlus aria-hidden="true" />
          Add a person
        </Button>
      }
      operation={operation}
      saveLabel="Add"
    >
      <TextField
        form={operation.form}
        name="email"
        label="E-mail address"
        type="email"
        isRequired
        placeholder="sam@example.com"
      />
      <SelectField form={operation.form} name="role" label="Role" options={ROLE_OPTIONS} />
      <TextField form={operation.form} name="name" label="Name" isOptional description="For a new account." />
      <TextField
        form={operation.form}
        name="password"
        label="First password"
        type="password"
        autoComplete="new-password"
        isOptional
        description="For a new account. They can change it after signing in."
      />
    </FormDialog>
  );
}
