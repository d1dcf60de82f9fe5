'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useWatch } from 'react-hook-form';
import { ArrowLeft } from 'lucide-react';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  type OutboundPromptDetail,
  type OutboundPromptView,
  putOutboundPrompt,
  updateOutboundPrompt,
} from '#lib/features/prompts/contract.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useDraft } from '#components/versions/use-draft.ts';
import { DeleteOutboundPrompt } from './delete-outbound-prompt.tsx';
import { EditorLayout } from './editor-layout.tsx';
import { editSchema, OutboundPromptFields, type PromptValues } from './outbound-prompt-fields.tsx';
import { DerivePromptCard, TemplateSwitch } from './outbound-prompt-switches.tsx';
import { PreviewPanel, useSampleVariables } from './preview-panel.tsx';
import { RetryCard } from './retry-card.tsx';
import { SINGLE_PROMPT_ONLY_HERE } from './single-prompt-starter.ts';
import { useKeepPrompt } from './use-keep-prompt.ts';
import { usePreview } from './use-preview.ts';

/** As the form shows it: an opening that nobody wrote is an empty field, for it is made when it is said. */
function formValuesOf({ prompt, writtenCardFields }: OutboundPromptDetail): PromptValues {
  const values = valuesOf(prompt);
  return writtenCardFields.includes('opening') ? values : { ...values, opening: null };
}

function valuesOf(prompt: OutboundPromptView): PromptValues {
  const { title, instructions, opening, personaName, businessName, scope, voicePrompt, singlePrompt } =
    prompt;
  return { title, instructions, opening, personaName, businessName, scope, voicePrompt, singlePrompt };
}

/** Two fields are written by the dashboard's own operation, the rest by the API's. */
function splitBody(body: PromptValues) {
  const { scope, singlePrompt, ...rest } = body;
  const own = {
    ...(scope === undefined ? {} : { scope }),
    ...(singlePrompt === undefined ? {} : { singlePrompt }),
  };
  return { own, rest };
}

/** The texts that a single prompt renders are refused while it is set. */
function withoutRendered(body: PromptValues, isSingle: boolean): PromptValues {
  const { instructions: _, voicePrompt: _voice, opening: _opening, ...others } = body;
  return isSingle ? others : body;
}

function exceptOwn(own: Pick<PromptValues, 'scope' | 'singlePrompt'>): string | undefined {
  if (own.singlePrompt) return SINGLE_PROMPT_ONLY_HERE;
  return own.scope === undefined ? undefined : 'The scope is written in the dashboard only.';
}

type PromptFormInput = { agentId: string; promptId: string; detail: OutboundPromptDetail };

function usePromptForm({ agentId, promptId, detail }: PromptFormInput) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const keep = useKeepPrompt();
  const params = { agentId, promptId };
  const draft = useDraft(agentId);
  const saveDraft = async (body: PromptValues, base: PromptValues): Promise<null> => {
    const { own, rest } = splitBody(body);
    const before = splitBody(base);
    if (Object.keys(own).length > 0)
      await draft.saveDraft({ kind: 'prompt_own', promptId, body: own }, before.own);
    if (Object.keys(rest).length > 0)
      await draft.saveDraft({ kind: 'prompt', promptId, body: rest }, before.rest);
    return null;
  };
  const save = async (values: PromptValues, base: PromptValues): Promise<OutboundPromptView | null> => {
    const { own, rest } = splitBody(values);
    const before = splitBody(base);
    if (draft.isDraft) return saveDraft(values, base);
    let saved = detail.prompt;
    if (Object.keys(own).length > 0) {
      const body = { ...own, base: before.own };
      saved = (await callOperation(updateOutboundPrompt, { params, body }, { workspaceId })).data;
    }
    if (Object.keys(rest).length > 0) {
      const body = { ...rest, base: before.rest };
      saved = (await callOperation(putOutboundPrompt, { params, body }, { workspaceId })).data;
    }
    // Which fields now count as written, before the form shows them again.
    await queryClient.fetchQuery({ ...promptQueries.detail(workspaceId, agentId, promptId), staleTime: 0 });
    return saved;
  };
  const operation = useOperationForm({
    schema: editSchema,
    values: formValuesOf(detail),
    onlyChanged: true,
    save,
    saveDraft,
    onSaved: (saved) => {
      if (saved) keep(saved);
      toast({ title: 'Prompt saved' });
    },
  });
  return { ...operation, draftBar: { isDraft: draft.isDraft, onSave: operation.submitDraft } };
}

export function EditOutboundPrompt({ agentId, promptId }: { agentId: string; promptId: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const { data: detail } = useSuspenseQuery(promptQueries.detail(workspaceId, agentId, promptId));
  const { prompt } = detail;
  const [variables, setVariables] = useSampleVariables();
  const mayEdit = role !== 'viewer';
  const params = { agentId, promptId };
  const list = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/outbound-prompts`);

  const { draftBar, ...operation } = usePromptForm({ agentId, promptId, detail });
  const { form, submit, isSaving, isDirty, pendingBody } = operation;
  const draft = useWatch({ control: form.control });
  const isSingle = (draft.singlePrompt ?? null) !== null;
  const rendering = usePreview(agentId, { direction: 'OUTBOUND', promptId, draft, variables });
  return (
    <div className="flex flex-col gap-4">
      <PromptHead prompt={prompt} list={list} mayDelete={mayEdit} />
      <EditorLayout
        onSubmit={submit}
        editor={
          <>
            <FormFailure message={form.formState.errors.root?.server?.message} />
            <OutboundPromptFields
              form={form}
              preview={rendering.preview}
              isReadOnly={!mayEdit}
              promptActions={mayEdit ? <TemplateSwitch detail={detail} form={form} /> : null}
              cardActions={mayEdit ? <DerivePromptCard prompt={prompt} /> : null}
              cardBadge={
                <Badge tone={prompt.voiceCardEdited ? 'accent' : 'neutral'}>
                  {prompt.voiceCardEdited ? 'Edited by hand' : 'Derived from the instructions'}
                </Badge>
              }
            />
            {mayEdit ? (
              <FormBar draft={draftBar} isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()}>
                <ApiCallButton
                  operation={putOutboundPrompt}
                  params={params}
                  body={() =>
                    withoutRendered(splitBody(isDirty ? pendingBody() : valuesOf(prompt)).rest, isSingle)
                  }
                  except={() => exceptOwn(isDirty ? splitBody(pendingBody()).own : {})}
                />
              </FormBar>
            ) : null}
          </>
        }
        preview={<PreviewPanel {...rendering} variables={variables} onVariablesChange={setVariables} />}
      />
      <RetryCard detail={detail} />
    </div>
  );
}

type PromptHeadProps = { prompt: OutboundPromptView; list: string; mayDelete: boolean };

function PromptHead({ prompt, list, mayDelete }: PromptHeadProps) {
  const router = useRouter();
  return (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <Link
        href={list}
        className="flex items-center gap-1.5 rounded-sm text-sm text-ink-muted hover:text-ink hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        All outbound prompts
      </Link>
      <span className="flex items-center gap-1 font-mono text-xs text-ink-subtle">
        {prompt.id}
        <CopyButton text={prompt.id} label="Copy prompt id" />
        {mayDelete ? <DeleteOutboundPrompt prompt={prompt} onDeleted={() => router.push(list)} /> : null}
      </span>
    </div>
  );
}
