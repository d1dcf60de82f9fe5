'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { UserPlus } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { addMember } from '#lib/features/members/contract.ts';
import { memberQueries } from '#lib/features/members/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { ROLE_OPTIONS } from './role-options.ts';

const NOBODY = { email: '', name: undefined, password: undefined, role: 'member' as const };

export function AddMemberDialog() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema: addMember.body,
    values: NOBODY,
    save: (body) => callOperation(addMember, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setIsOpen(false);
      toast({ title: `${data.name} was added` });
      void queryClient.invalidateQueries({ queryKey: memberQueries.list(workspaceId).queryKey });
    },
  });
  return (
    <Dialog
      title="Add a person"
      description="Somebody without an account here gets one with the name and password you enter. Hand the password over in person."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset(NOBODY);
      }}
      trigger={
        <Button variant="primary">
          <UserPlus aria-hidden="true" />
          Add a person
        </Button>
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            Add
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
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
      </form>
    </Dialog>
  );
}
