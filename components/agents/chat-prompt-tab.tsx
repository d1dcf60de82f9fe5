'use client';

import { useQueryClient } from '@tanstack/react-query';
import { ApiCallButton } from '#components/forms/api-call.tsx';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { putChatPrompt } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { useAgent, useMayEdit } from './use-agent.ts';

export function ChatPromptTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { chatPrompt } = useAgent(agentId);
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayEdit = useMayEdit();
  const params = { agentId };
  const draft = useDraft(agentId);
  const { form, submit, submitDraft, isSaving, isDirty, pendingBody } = useOperationForm({
    schema: putChatPrompt.body,
    values: { chatPrompt: chatPrompt ?? '' },
    save: (body, base) =>
      draft.save(
        () => callOperation(putChatPrompt, { params, body: { ...body, base } }, { workspaceId }),
        { kind: 'chat_prompt', body },
        base,
      ),
    saveDraft: (body, base) => draft.saveDraft({ kind: 'chat_prompt', body }, base),
    onSaved: (saved) => {
      if (saved)
        queryClient.setQueryData(agentQueries.detail(workspaceId, agentId).queryKey, (known) =>
          known ? { ...known, chatPrompt: saved.data.chatPrompt } : known,
        );
      toast({ title: 'Chat prompt saved' });
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <Card
        title="Chat prompt"
        description="What the agent follows in chats: on its page here, over the API, and in the website widget below. Calls do not use it."
      >
        <TextField
          form={form}
          name="chatPrompt"
          label="Chat prompt"
          rows={18}
          isMono
          isDisabled={!mayEdit}
          limit={maxCharacters(putChatPrompt.body, 'chatPrompt')}
        />
      </Card>
      {mayEdit ? (
        <FormBar
          draft={{ isDraft: draft.isDraft, onSave: submitDraft }}
          isDirty={isDirty}
          isSaving={isSaving}
          onDiscard={() => form.reset()}
        >
          <ApiCallButton operation={putChatPrompt} params={params} body={pendingBody} />
        </FormBar>
      ) : null}
    </form>
  );
}
