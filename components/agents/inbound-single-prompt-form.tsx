'use client';

import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { Info } from 'lucide-react';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { EditorLayout } from '#components/prompts/editor-layout.tsx';
import { PreviewPanel, useSampleVariables } from '#components/prompts/preview-panel.tsx';
import { singlePromptFrom } from '#components/prompts/single-prompt-starter.ts';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { SINGLE_PROMPT_ONLY_HERE } from '#components/prompts/single-prompt-starter.ts';
import { usePreview } from '#components/prompts/use-preview.ts';
import { useDraft } from '#components/versions/use-draft.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type AgentView, putAgentSettings } from '#lib/features/agents/contract.ts';
import { updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { useAgent, useKeepAgent, useMayEdit } from './use-agent.ts';

const schema = updateAgent.body.pick({ inboundSinglePrompt: true });

type Props = { agent: AgentView; onStop: () => void; onSaved: () => void };

/** A template that is begun starts with the texts that it replaces. */
function useTemplateForm(agent: AgentView, onSaved: () => void) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepAgent();
  const params = { agentId: agent.id };
  const { writtenCardFields } = useAgent(agent.id);
  const isNew = agent.inboundSinglePrompt === null;
  const draft = useDraft(agent.id);
  const operation = useOperationForm({
    schema,
    values: { inboundSinglePrompt: agent.inboundSinglePrompt },
    save: (body, base) =>
      draft.save(
        () => callOperation(updateAgent, { params, body: { ...body, base } }, { workspaceId }),
        { kind: 'agent', body },
        base,
      ),
    saveDraft: (body, base) => draft.saveDraft({ kind: 'agent', body }, base).then(onSaved),
    onSaved: (saved) => {
      if (saved) keep(saved.data);
      onSaved();
      toast({
        title: 'Single prompt saved',
        description: 'Prompt, voice prompt and opening were rendered from it.',
      });
    },
  });
  useEffect(() => {
    if (!isNew) return;
    const starter = singlePromptFrom({
      // A derived line follows the names; in the template it would be written by hand.
      opening: writtenCardFields.includes('inboundGreeting') ? agent.inboundGreeting : null,
      voicePrompt: agent.inboundVoicePrompt,
      instructions: agent.inboundPrompt,
    });
    operation.form.setValue('inboundSinglePrompt', starter, { shouldDirty: true });
    // Once, when the template is begun.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  return { ...operation, isDraft: draft.isDraft };
}

export function InboundSinglePromptForm({ agent, onStop, onSaved }: Props) {
  const mayEdit = useMayEdit();
  const [variables, setVariables] = useSampleVariables();
  const isNew = agent.inboundSinglePrompt === null;
  const { form, submit, submitDraft, isSaving, isDirty, isDraft } = useTemplateForm(agent, onSaved);
  const inboundSinglePrompt = useWatch({ control: form.control, name: 'inboundSinglePrompt' }) ?? null;
  const rendering = usePreview(agent.id, { direction: 'INBOUND', draft: { inboundSinglePrompt }, variables });
  return (
    <EditorLayout
      onSubmit={submit}
      editor={
        <>
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <Notice icon={<Info aria-hidden="true" />} title="Everything in one text">
            While this template is set, the inbound prompt, the voice prompt and the opening are rendered from
            its sections.
          </Notice>
          <Card
            title="Single prompt"
            description="One Markdown text with a heading for each section."
            actions={mayEdit ? <WayBack agent={agent} onStop={onStop} /> : null}
          >
            <TemplateField
              form={form}
              name="inboundSinglePrompt"
              label="Template"
              isNullable
              limit={maxCharacters(schema, 'inboundSinglePrompt')}
              problems={rendering.preview?.problems}
              isReadOnly={!mayEdit}
            />
          </Card>
          {mayEdit ? (
            <FormBar
              draft={{ isDraft, onSave: submitDraft }}
              isDirty={isDirty}
              isSaving={isSaving}
              onDiscard={() => (isNew ? onStop() : form.reset())}
            >
              <ApiCallButton
                operation={putAgentSettings}
                params={{ agentId: agent.id }}
                body={() => ({})}
                except={() => SINGLE_PROMPT_ONLY_HERE}
              />
            </FormBar>
          ) : null}
        </>
      }
      preview={<PreviewPanel {...rendering} variables={variables} onVariablesChange={setVariables} />}
    />
  );
}

/** A template that is not saved yet is left; one that is used is dropped. */
function WayBack({ agent, onStop }: Pick<Props, 'agent' | 'onStop'>) {
  if (agent.inboundSinglePrompt !== null) return <StopUsing agent={agent} />;
  return (
    <Button size="sm" onClick={onStop}>
      Back to the prompt
    </Button>
  );
}

function StopUsing({ agent }: { agent: AgentView }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const keep = useKeepAgent();
  const draft = useDraft(agent.id);
  const stop = useMutation({
    mutationFn: () =>
      draft.save(
        () =>
          callOperation(
            putAgentSettings,
            { params: { agentId: agent.id }, body: { inboundSinglePrompt: null } },
            { workspaceId },
          ),
        { kind: 'settings', body: { inboundSinglePrompt: null } },
      ),
    onSuccess: (saved) => {
      if (saved) keep(saved.data);
      toast({ title: 'The template is no longer used' });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      tone="primary"
      title="Stop using the single prompt?"
      description="The prompt and the voice prompt stay as they were last rendered, and can be edited on their own. The template text is dropped."
      confirmLabel="Stop using it"
      onConfirm={() => stop.mutate()}
      trigger={
        <Button size="sm" isBusy={stop.isPending}>
          Stop using the template
        </Button>
      }
    />
  );
}
