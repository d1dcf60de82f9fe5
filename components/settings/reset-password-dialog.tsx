'use client';

import { useId, useState } from 'react';
import { KeyRound } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type Member, resetMemberPassword } from '#lib/features/members/contract.ts';
import { callOperation } from '#lib/http/client.ts';

export function ResetPasswordDialog({ member }: { member: Member }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema: resetMemberPassword.body,
    values: { password: '' },
    save: (body) =>
      callOperation(resetMemberPassword, { params: { userId: member.userId }, body }, { workspaceId }),
    onSaved: () => {
      setIsOpen(false);
      toast({ title: `${member.name} has a new password`, description: 'They are signed out everywhere.' });
    },
  });
  return (
    <Dialog
      size="sm"
      title={`New password for ${member.name}`}
      description="They are signed out everywhere and sign in with this one."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset({ password: '' });
      }}
      trigger={
        <IconButton
          size="sm"
          label={`Set a new password for ${member.name}`}
          icon={<KeyRound aria-hidden="true" />}
        />
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            Set password
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="password"
          label="New password"
          type="password"
          autoComplete="new-password"
          isRequired
        />
      </form>
    </Dialog>
  );
}
