'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { UnsavedChanges } from '#components/forms/unsaved-changes.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { updateWebhookSettings } from '#lib/features/webhooks/contract.ts';
import { webhookQueries } from '#lib/features/webhooks/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';

export function UrlCard() {
  const { id: workspaceId } = useWorkspace();
  const { data: settings } = useSuspenseQuery(webhookQueries.settings(workspaceId));
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayManage = useMayManage();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: updateWebhookSettings.body,
    values: { url: settings.url },
    save: (body, base) => callOperation(updateWebhookSettings, { body: { ...body, base } }, { workspaceId }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(webhookQueries.settings(workspaceId).queryKey, data);
      toast({ title: data.url ? 'Webhook URL saved' : 'Webhook URL removed' });
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)}>
      <Card
        title="Workspace URL"
        description="Where webhooks go, unless an agent has a URL of its own."
        footer={
          mayManage ? (
            <>
              <span>Must be https and reachable from the public internet.</span>
              <Button type="submit" variant="primary" disabled={!isDirty} isBusy={isSaving}>
                Save URL
              </Button>
            </>
          ) : (
            <span>Only admins and owners can change it.</span>
          )
        }
      >
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="url"
          label="URL"
          type="url"
          isNullable
          isDisabled={!mayManage}
          placeholder="https://example.com/hooks/calls"
        />
        <UnsavedChanges isDirty={isDirty} />
      </Card>
    </form>
  );
}
