'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Plus } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { Button } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createAgent } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = createAgent.body;

/** Leads to the new agent's page once it is saved. */
function useAgentForm() {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useOperationForm({
    schema,
    values: { name: '', description: null, inboundPrompt: null },
    save: (body) => callOperation(createAgent, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      void queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) });
      toast({ title: `${data.name} was created` });
      router.push(workspacePath(workspaceId, `agents/${data.id}`));
    },
  });
}

export function CreateAgentDialog() {
  const [isOpen, setIsOpen] = useState(false);
  const operation = useAgentForm();
  return (
    <FormDialog
      title="New agent"
      description="Start with a name. A prompt can be written now or later."
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (open) operation.form.reset();
      }}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          New agent
        </Button>
      }
      operation={operation}
      saveLabel="Create agent"
    >
      <TextField
        form={operation.form}
        name="name"
        label="Name"
        isRequired
        limit={maxCharacters(schema, 'name')}
        placeholder="Front desk"
      />
      <TextField
        form={operation.form}
        name="description"
        label="Description"
        isNullable
        limit={maxCharacters(schema, 'description')}
        placeholder="Answers the practice's main line"
      />
      <TemplateField
        form={operation.form}
        name="inboundPrompt"
        label="Prompt for inbound calls"
        description="Who the agent is, what it should do on a call, what it must not do. {{variables}} are filled in per call."
        isNullable
        size="line"
        limit={maxCharacters(schema, 'inboundPrompt')}
        placeholder="You are Mia, the assistant of Alpha Dental. You help callers…"
      />
    </FormDialog>
  );
}
