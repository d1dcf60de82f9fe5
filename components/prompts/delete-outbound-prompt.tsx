'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useDraft } from '#components/versions/use-draft.ts';
import { IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { deleteOutboundPrompt, type OutboundPromptView } from '#lib/features/prompts/contract.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { callOperation } from '#lib/http/client.ts';

export function DeleteOutboundPrompt({
  prompt,
  onDeleted,
}: {
  prompt: OutboundPromptView;
  onDeleted?: () => void;
}) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const params = { agentId: prompt.agentId, promptId: prompt.id };
  const draft = useDraft(prompt.agentId);
  const remove = useMutation({
    mutationFn: () =>
      draft.save<unknown>(() => callOperation(deleteOutboundPrompt, { params }, { workspaceId }), {
        kind: 'remove_prompt',
        promptId: prompt.id,
      }),
    onSuccess: () => {
      queryClient.setQueryData(promptQueries.edited(workspaceId, prompt.agentId).queryKey, (known) =>
        known?.filter((other) => other.id !== prompt.id),
      );
      void queryClient.invalidateQueries({
        queryKey: promptQueries.list(workspaceId, prompt.agentId).queryKey,
      });
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
      toast({ title: `“${prompt.title}” was deleted` });
      onDeleted?.();
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Delete “${prompt.title}”?`}
      description={
        draft.isDraft
          ? 'It is deleted once the draft is published. Until then calls can be placed with it.'
          : 'Calls can no longer be placed with it. Conversations held with it stay.'
      }
      confirmLabel="Delete prompt"
      onConfirm={() => remove.mutate()}
      trigger={
        <IconButton
          label={`Delete ${prompt.title}`}
          icon={<Trash2 aria-hidden="true" />}
          disabled={remove.isPending}
        />
      }
    />
  );
}
