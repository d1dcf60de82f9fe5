'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Plus } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField, SelectField, TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { createNumber } from '#lib/features/numbers/contract.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const NEW = { number: undefined, agentId: null, maxConcurrentCalls: 10 };

export function CreateNumberDialog() {
  const { id: workspaceId } = useWorkspace();
  const { data: agents } = useQuery(agentQueries.list(workspaceId));
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema: createNumber.body,
    values: NEW,
    save: (body) => callOperation(createNumber, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setIsOpen(false);
      toast({ title: `${data.number} was created` });
      void queryClient.invalidateQueries({ queryKey: numberQueries.list(workspaceId).queryKey });
      void queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) });
    },
  });
  return (
    <Dialog
      title="New simulated number"
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset(NEW);
      }}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          New number
        </Button>
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            Create number
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="number"
          label="Number"
          type="tel"
          isOptional
          placeholder="+15550100001"
          description="Empty: a free number is chosen."
        />
        <SelectField
          form={form}
          name="agentId"
          label="Agent"
          isNullable
          options={[
            { value: '', label: 'No agent' },
            ...(agents ?? []).map((agent) => ({ value: agent.id, label: agent.name })),
          ]}
        />
        <NumberField
          form={form}
          name="maxConcurrentCalls"
          label="Calls at once"
          min={1}
          description="Further calls on this number wait in the queue."
        />
      </form>
    </Dialog>
  );
}
