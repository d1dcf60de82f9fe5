'use client';

import { useWatch } from 'react-hook-form';
import { FileText } from 'lucide-react';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { EditorLayout } from '#components/prompts/editor-layout.tsx';
import { PreviewPanel, useSampleVariables } from '#components/prompts/preview-panel.tsx';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { useDraft } from '#components/versions/use-draft.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type AgentView, putInboundPrompt } from '#lib/features/agents/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { useKeepAgent, useMayEdit } from './use-agent.ts';

function useInboundForm(agent: AgentView) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepAgent();
  const params = { agentId: agent.id };
  const draft = useDraft(agent.id);
  const operation = useOperationForm({
    schema: putInboundPrompt.body,
    values: { inboundPrompt: agent.inboundPrompt ?? '' },
    save: (body, base) =>
      draft.save(
        () => callOperation(putInboundPrompt, { params, body: { ...body, base } }, { workspaceId }),
        { kind: 'inbound_prompt', body },
        base,
      ),
    saveDraft: (body, base) => draft.saveDraft({ kind: 'inbound_prompt', body }, base),
    onSaved: (saved) => {
      if (saved) keep(saved.data);
      toast({ title: 'Prompt saved' });
    },
  });
  return { ...operation, draftBar: { isDraft: draft.isDraft, onSave: operation.submitDraft } };
}

export function InboundPromptForm({ agent, onUseTemplate }: { agent: AgentView; onUseTemplate: () => void }) {
  const mayEdit = useMayEdit();
  const [variables, setVariables] = useSampleVariables();
  const params = { agentId: agent.id };
  const { form, submit, isSaving, isDirty, pendingBody, draftBar } = useInboundForm(agent);
  const inboundPrompt = useWatch({ control: form.control, name: 'inboundPrompt' });
  const rendering = usePreview(agent.id, { direction: 'INBOUND', draft: { inboundPrompt }, variables });
  return (
    <EditorLayout
      onSubmit={submit}
      editor={
        <>
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <Card
            title="Prompt for inbound calls"
            description="What the agent is told before it answers the phone."
            actions={
              mayEdit ? (
                <Button size="sm" onClick={onUseTemplate}>
                  <FileText aria-hidden="true" />
                  Use the single-prompt template
                </Button>
              ) : null
            }
          >
            <TemplateField
              form={form}
              name="inboundPrompt"
              label="Prompt"
              description="Markdown is fine. {{name}} is filled in with a variable of the call. The voice card follows this text until you edit it by hand."
              limit={maxCharacters(putInboundPrompt.body, 'inboundPrompt')}
              problems={rendering.preview?.problems}
              isReadOnly={!mayEdit}
            />
          </Card>
          {mayEdit ? (
            <FormBar draft={draftBar} isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()}>
              <ApiCallButton operation={putInboundPrompt} params={params} body={pendingBody} />
            </FormBar>
          ) : null}
        </>
      }
      preview={<PreviewPanel {...rendering} variables={variables} onVariablesChange={setVariables} />}
    />
  );
}
