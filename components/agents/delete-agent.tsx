'use client';

import { useDeletion } from '#components/forms/use-deletion.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { type AgentView, deleteAgent } from '#lib/features/agents/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { callOperation } from '#lib/http/client.ts';

type DeleteAgentProps = { agent: AgentView; isOpen: boolean; onOpenChange: (isOpen: boolean) => void };

/** Asks, deletes, and leads back to the list: the pages of the agent are gone. */
export function DeleteAgent({ agent, isOpen, onOpenChange }: DeleteAgentProps) {
  const { id: workspaceId } = useWorkspace();
  const remove = useDeletion({
    name: agent.name,
    remove: () => callOperation(deleteAgent, { params: { agentId: agent.id } }, { workspaceId }),
    list: workspacePath(workspaceId, 'agents'),
    listKey: [...agentQueries.root(workspaceId), 'list'],
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
