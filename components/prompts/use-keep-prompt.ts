'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import type { OutboundPromptView } from '#lib/features/prompts/contract.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

/** Puts a saved prompt where the pages read it, and lets lists and previews be asked for anew. */
export function useKeepPrompt(): (prompt: OutboundPromptView) => void {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return (prompt) => {
    const { queryKey } = promptQueries.detail(workspaceId, prompt.agentId, prompt.id);
    queryClient.setQueryData(queryKey, (known) => (known ? { ...known, prompt } : known));
    void queryClient.invalidateQueries({ queryKey });
    void queryClient.invalidateQueries({
      queryKey: promptQueries.list(workspaceId, prompt.agentId).queryKey,
    });
    void queryClient.invalidateQueries({
      queryKey: [...promptQueries.root(workspaceId), prompt.agentId, 'preview'],
    });
  };
}
