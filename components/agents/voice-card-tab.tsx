'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { Info } from 'lucide-react';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { EditorLayout } from '#components/prompts/editor-layout.tsx';
import { PreviewPanel, useSampleVariables } from '#components/prompts/preview-panel.tsx';
import { TemplateField } from '#components/prompts/template-field.tsx';
import { usePreview } from '#components/prompts/use-preview.ts';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type AgentView, putAgentSettings } from '#lib/features/agents/contract.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import type { PromptPreview } from '#lib/features/prompts/preview/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { DeriveCardButton } from './derive-card-button.tsx';
import { useAgent, useKeepAgent, useMayEdit } from './use-agent.ts';

const schema = putAgentSettings.body.pick({
  personaName: true,
  businessName: true,
  inboundGreeting: true,
  voiceScope: true,
  voiceTone: true,
  aiDisclosure: true,
  inboundVoicePrompt: true,
});

const TONES = [
  { value: '', label: 'Not set', detail: 'Professional, unless the prompt says otherwise' },
  { value: 'calm', label: 'Calm', detail: 'Unhurried and reassuring' },
  { value: 'warm', label: 'Warm', detail: 'Friendly and personal' },
  { value: 'professional', label: 'Professional', detail: 'Courteous and to the point' },
];

/** As the form shows it: a greeting that nobody wrote is an empty field, for it is made when it is said. */
function formValuesOf({ agent, writtenCardFields }: AgentDetail) {
  const card = cardOf(agent);
  return writtenCardFields.includes('inboundGreeting') ? card : { ...card, inboundGreeting: null };
}

function cardOf(agent: AgentView) {
  const {
    personaName,
    businessName,
    inboundGreeting,
    voiceScope,
    voiceTone,
    aiDisclosure,
    inboundVoicePrompt,
  } = agent;
  return {
    personaName,
    businessName,
    inboundGreeting,
    voiceScope,
    voiceTone,
    aiDisclosure,
    inboundVoicePrompt,
  };
}

function useVoiceCardForm(detail: AgentDetail) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const keep = useKeepAgent();
  const agentId = detail.agent.id;
  const params = { agentId };
  const draft = useDraft(agentId);
  const operation = useOperationForm({
    schema,
    values: formValuesOf(detail),
    onlyChanged: true,
    saveDraft: (body, base) => draft.saveDraft({ kind: 'settings', body }, base),
    save: async (body, base) => {
      if (draft.isDraft) {
        await draft.saveDraft({ kind: 'settings', body }, base);
        return null;
      }
      const { data } = await callOperation(
        putAgentSettings,
        { params, body: { ...body, base } },
        { workspaceId },
      );
      // Which fields now count as written, before the form shows them again.
      await queryClient.fetchQuery({ ...agentQueries.detail(workspaceId, agentId), staleTime: 0 });
      return data;
    },
    onSaved: (saved) => {
      if (saved) keep(saved);
      toast({ title: 'Voice card saved' });
    },
  });
  return { ...operation, isDraft: draft.isDraft };
}

export function VoiceCardTab({ agentId }: { agentId: string }) {
  const detail = useAgent(agentId);
  const { agent, workspaceName } = detail;
  const mayEdit = useMayEdit();
  const [variables, setVariables] = useSampleVariables();
  const { form, submit, submitDraft, isSaving, isDirty, pendingBody, isDraft } = useVoiceCardForm(detail);
  const draft = useWatch({ control: form.control });
  const rendering = usePreview(agentId, { direction: 'INBOUND', draft, variables });
  const shared = { form, preview: rendering.preview, mayEdit };
  return (
    <EditorLayout
      onSubmit={submit}
      editor={
        <>
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <Card
            title={
              <span className="flex flex-wrap items-center gap-2">
                Voice card
                <Badge tone={agent.voiceCardEdited ? 'accent' : 'neutral'}>
                  {agent.voiceCardEdited ? 'Edited by hand' : 'Derived from the prompt'}
                </Badge>
              </span>
            }
            description={
              agent.voiceCardEdited
                ? 'What you wrote here stays when the prompt changes.'
                : 'Follows the prompt until you change something here.'
            }
            actions={mayEdit ? <DeriveCardButton agent={agent} /> : null}
          >
            <CardFields {...shared} workspaceName={workspaceName} />
          </Card>
          <VoicePromptCard {...shared} agent={agent} />
          {mayEdit ? (
            <FormBar
              draft={{ isDraft, onSave: submitDraft }}
              isDirty={isDirty}
              isSaving={isSaving}
              onDiscard={() => form.reset()}
            >
              <ApiCallButton
                operation={putAgentSettings}
                params={{ agentId }}
                body={() => (isDirty ? pendingBody() : cardOf(agent))}
              />
            </FormBar>
          ) : null}
        </>
      }
      preview={<PreviewPanel {...rendering} variables={variables} onVariablesChange={setVariables} />}
    />
  );
}

type FieldsProps = {
  form: ReturnType<typeof useVoiceCardForm>['form'];
  preview: PromptPreview | undefined;
  mayEdit: boolean;
};

function CardFields({ form, preview, mayEdit, workspaceName }: FieldsProps & { workspaceName: string }) {
  const shared = { form, isDisabled: !mayEdit };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        {...shared}
        name="personaName"
        label="Persona name"
        isNullable
        limit={maxCharacters(schema, 'personaName')}
        placeholder="Mia"
      />
      <TextField
        {...shared}
        name="businessName"
        label="Business name"
        isNullable
        limit={maxCharacters(schema, 'businessName')}
        placeholder={workspaceName}
        description="As spoken. Empty: the workspace's name."
      />
      <div className="sm:col-span-2">
        <TemplateField
          form={form}
          name="inboundGreeting"
          label="Greeting"
          size="line"
          isNullable
          isReadOnly={!mayEdit}
          limit={maxCharacters(schema, 'inboundGreeting')}
          problems={preview?.problems}
          placeholder={preview?.openingSource === 'derived' ? preview.opening : ''}
          description="The exact first words on an inbound call. Empty: made of the names above, or the line in the prompt."
        />
      </div>
      <TextField
        {...shared}
        className="sm:col-span-2"
        name="voiceScope"
        label="Scope"
        rows={3}
        isNullable
        limit={maxCharacters(schema, 'voiceScope')}
        description="What the agent helps with, in one to three sentences. It kindly declines the rest."
      />
      <SelectField {...shared} name="voiceTone" label="Tone" isNullable options={TONES} />
      <TextField
        {...shared}
        className="sm:col-span-2"
        name="aiDisclosure"
        label="When asked whether it is an AI"
        rows={2}
        isNullable
        limit={maxCharacters(schema, 'aiDisclosure')}
        description="Said word for word."
        placeholder={preview?.card.aiDisclosure ?? ''}
      />
    </div>
  );
}

function VoicePromptCard({ form, preview, mayEdit, agent }: FieldsProps & { agent: AgentView }) {
  const isFromTemplate = agent.inboundSinglePrompt !== null;
  return (
    <Card
      title="Hand-written voice prompt"
      description="Replaces the whole card for the voice model, the opening line included."
    >
      <div className="flex flex-col gap-3">
        {isFromTemplate ? (
          <Notice icon={<Info aria-hidden="true" />}>
            Rendered from the single prompt. Stop using the template on the Prompt tab to write it here.
          </Notice>
        ) : agent.inboundVoicePrompt ? (
          <Notice icon={<Info aria-hidden="true" />}>
            The card above is not used while this text is set. Empty it to return to the card.
          </Notice>
        ) : null}
        <TemplateField
          form={form}
          name="inboundVoicePrompt"
          label="Voice prompt"
          size="line"
          isNullable
          isReadOnly={!mayEdit || isFromTemplate}
          limit={maxCharacters(schema, 'inboundVoicePrompt')}
          problems={preview?.problems}
        />
      </div>
    </Card>
  );
}
