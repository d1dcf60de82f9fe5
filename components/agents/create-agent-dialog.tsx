'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createAgent } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = createAgent.body;

export function CreateAgentDialog() {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  return (
    <OperationDialog
      title="New agent"
      description="Start with a name. A prompt can be written now or later."
      trigger={<NewButton>New agent</NewButton>}
      saveLabel="Create agent"
      schema={schema}
      values={{ name: '', description: null, inboundPrompt: null }}
      save={(body) => callOperation(createAgent, { body }, { workspaceId })}
      onSaved={({ data }) => {
        void queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) });
        toast({ title: `${data.name} was created` });
        router.push(workspacePath(workspaceId, `agents/${data.id}`));
      }}
    >
      {(form) => (
        <>
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
        </>
      )}
    </OperationDialog>
  );
}
