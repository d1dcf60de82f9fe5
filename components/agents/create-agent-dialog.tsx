'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useId, useState } from 'react';
import { Plus } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createAgent } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = createAgent.body;

export function CreateAgentDialog() {
  const { id: workspaceId } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const formId = useId();
  const { form, submit, isSaving } = useOperationForm({
    schema,
    values: { name: '', description: null, inboundPrompt: null },
    save: (body) => callOperation(createAgent, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      void queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) });
      toast({ title: `${data.name} was created` });
      router.push(workspacePath(workspaceId, `agents/${data.id}`));
    },
  });
  return (
    <Dialog
      title="New agent"
      description="Start with a name. A prompt can be written now or later."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (open) form.reset();
      }}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          New agent
        </Button>
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            Create agent
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="name"
          label="Name"
          isRequired
          limit={maxCharacters(schema, 'name')}
          placeholder="Front desk"
        />
        <TextField
          form={form}
          name="description"
          label="Description"
          isNullable
          limit={maxCharacters(schema, 'description')}
          placeholder="Answers the practice's main line"
        />
        <TemplateField
          form={form}
          name="inboundPrompt"
          label="Prompt for inbound calls"
          description="Who the agent is, what it should do on a call, what it must not do. {{variables}} are filled in per call."
          isNullable
          size="line"
          limit={maxCharacters(schema, 'inboundPrompt')}
          placeholder="You are Mia, the assistant of Alpha Dental. You help callers…"
        />
      </form>
    </Dialog>
  );
}
