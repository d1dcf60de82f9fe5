'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type AgentView, deleteAgent } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';

type DeleteAgentProps = { agent: AgentView; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Asks, deletes, and leads back to the list: the pages of the agent are gone. */
export function DeleteAgent({ agent, isOpen, onOpenChange }: DeleteAgentProps) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(deleteAgent, { params: { agentId: agent.id } }, { workspaceId }),
    onSuccess: () => {
      router.push(workspacePath(workspaceId, 'agents'));
      void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
      toast({ title: `${agent.name} was deleted` });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Delete ${agent.name}?`}
      description="Its prompts are deleted with it, its numbers are left without an agent, and calls that are still queued fail. Its conversations stay."
      confirmLabel="Delete agent"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      isBusy={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate()}
    />
  );
}
