'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { createOutboundPrompt } from '#lib/features/prompts/contract.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useDraft } from '#components/versions/use-draft.ts';
import { EditorLayout } from './editor-layout.tsx';
import { OutboundPromptFields, type PromptValues } from './outbound-prompt-fields.tsx';
import { PreviewPanel, useSampleVariables } from './preview-panel.tsx';
import { usePreview } from './use-preview.ts';

const EMPTY = {
  title: '',
  instructions: '',
  opening: null,
  personaName: null,
  businessName: null,
  voicePrompt: null,
};

export function NewOutboundPrompt({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const [variables, setVariables] = useSampleVariables();
  const params = { agentId };
  const list = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}/outbound-prompts`);
  const { isDraft, saveDraft: saveInDraft } = useDraft(agentId);
  const opened = (title: string, promptId: string) => {
    toast({ title: `“${title}” was created` });
    router.push(`${list}/${encodeURIComponent(promptId)}`);
  };
  const saveDraft = async (given: z.input<typeof createOutboundPrompt.body>) => {
    const body = withoutEmpty(given);
    const promptId = await saveInDraft({ kind: 'new_prompt', body });
    if (promptId !== null) opened(body.title, promptId);
    return null;
  };
  const { form, submit, submitDraft, isSaving, isDirty, pendingBody } = useOperationForm({
    schema: createOutboundPrompt.body,
    values: EMPTY,
    saveDraft,
    save: async (body) =>
      isDraft
        ? saveDraft(body)
        : callOperation(createOutboundPrompt, { params, body: withoutEmpty(body) }, { workspaceId }),
    onSaved: (saved) => {
      if (!saved) return;
      const { data } = saved;
      void queryClient.invalidateQueries({ queryKey: promptQueries.list(workspaceId, agentId).queryKey });
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
      opened(data.title, data.id);
    },
  });
  const draft = useWatch({ control: form.control });
  const rendering = usePreview(agentId, { direction: 'OUTBOUND', promptId: null, draft, variables });
  // The form of a new prompt has fewer fields than that of a saved one, under the same names.
  const fields = form as unknown as React.ComponentProps<typeof OutboundPromptFields>['form'];
  return (
    <EditorLayout
      onSubmit={submit}
      editor={
        <>
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <OutboundPromptFields form={fields} preview={rendering.preview} isReadOnly={false} isNew />
          <FormBar
            isDirty={isDirty}
            isSaving={isSaving}
            onDiscard={() => form.reset()}
            draft={{ isDraft, onSave: submitDraft }}
            saveLabel={isDraft ? 'Add to draft' : 'Create prompt'}
            idleText="Not created yet"
          >
            <ApiCallButton
              operation={createOutboundPrompt}
              params={params}
              body={() => withoutEmpty(pendingBody())}
            />
          </FormBar>
        </>
      }
      preview={<PreviewPanel {...rendering} variables={variables} onVariablesChange={setVariables} />}
    />
  );
}

/** What is left empty is left out, so that it is derived instead of being set to nothing by hand. */
function withoutEmpty<Body extends Partial<PromptValues>>(body: Body): Body {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as Body;
}
