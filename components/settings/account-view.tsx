'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { changePassword, updateMe } from '#lib/features/profile/contract.ts';
import { profileQueries } from '#lib/features/profile/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { SessionsCard } from './sessions-card.tsx';

/** What belongs to the person and not to the workspace. */
export function AccountView() {
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <NameCard />
      <PasswordCard />
      <SessionsCard />
    </div>
  );
}

function NameCard() {
  const { data: me } = useSuspenseQuery(profileQueries.me());
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: updateMe.body,
    values: { name: me.user.name },
    save: (body) => callOperation(updateMe, { body }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(profileQueries.me().queryKey, data);
      toast({ title: 'Name saved' });
      // The name also stands in the sidebar, which the server renders.
      router.refresh();
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card
        title="Profile"
        footer={
          <>
            <span>{me.user.email}</span>
            <Button type="submit" variant="primary" disabled={!isDirty} isBusy={isSaving}>
              Save name
            </Button>
          </>
        }
      >
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="name"
          label="Your name"
          isRequired
          autoComplete="name"
          className="max-w-sm"
        />
      </Card>
    </form>
  );
}

const BLANK = { currentPassword: '', newPassword: '' };

function PasswordCard() {
  const queryClient = useQueryClient();
  const toast = useToast();
  const { form, submit, isSaving } = useOperationForm({
    schema: changePassword.body,
    values: BLANK,
    save: (body) => callOperation(changePassword, { body }),
    onSaved: () => {
      form.reset(BLANK);
      toast({ title: 'Password changed', description: 'You are signed out everywhere else.' });
      void queryClient.invalidateQueries({ queryKey: profileQueries.sessions().queryKey });
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card
        title="Password"
        footer={
          <>
            <span>Changing it signs you out everywhere else.</span>
            <Button type="submit" variant="primary" isBusy={isSaving}>
              Change password
            </Button>
          </>
        }
      >
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            form={form}
            name="currentPassword"
            label="Current password"
            type="password"
            autoComplete="current-password"
            isRequired
          />
          <TextField
            form={form}
            name="newPassword"
            label="New password"
            type="password"
            autoComplete="new-password"
            isRequired
          />
        </div>
      </Card>
    </form>
  );
}
