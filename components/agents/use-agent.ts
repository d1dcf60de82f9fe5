'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import type { AgentView } from '#lib/features/agents/contract.ts';
import type { AgentDetail } from '#lib/features/agents/dashboard/contract.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

/** The agent of the page, as last loaded or saved. */
export function useAgent(agentId: string): AgentDetail {
  const { id: workspaceId } = useWorkspace();
  return useSuspenseQuery(agentQueries.detail(workspaceId, agentId)).data;
}

/** Puts a saved agent where every tab reads it, and lets lists and previews be asked for anew. */
export function useKeepAgent(): (agent: AgentView) => void {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return (agent) => {
    const { queryKey } = agentQueries.detail(workspaceId, agent.id);
    queryClient.setQueryData(queryKey, (known) => (known ? { ...known, agent } : known));
    // What of the card was written by hand, the answer does not say.
    void queryClient.invalidateQueries({ queryKey });
    void queryClient.invalidateQueries({ queryKey: [...agentQueries.root(workspaceId), 'list'] });
    void queryClient.invalidateQueries({
      queryKey: [...promptQueries.root(workspaceId), agent.id, 'preview'],
    });
  };
}

/** Viewers look and change nothing. */
export function useMayEdit(): boolean {
  return useWorkspace().role !== 'viewer';
}
