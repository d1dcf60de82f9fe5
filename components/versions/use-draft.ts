'use client';

import { useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { useAgent } from '#components/agents/use-agent.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';
import { editAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';
import type { Base } from '#lib/http/base.ts';
import { callOperation } from '#lib/http/client.ts';

type DraftEdit = z.input<typeof editAgentDraft.body>;

/** Asks everything of agents again that a draft or another version changes; resolves when what is shown is there. */
export function useRefreshAgent(): () => Promise<unknown> {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [agentQueries, promptQueries, versionQueries, splitQueries].map((queries) =>
        queryClient.invalidateQueries({ queryKey: queries.root(workspaceId) }),
      ),
    );
}

/** Where the forms of an agent save: into its draft, where there is one, else what they save is published. */
export function useDraft(agentId: string) {
  const { id: workspaceId } = useWorkspace();
  const { draft } = useAgent(agentId);
  const refresh = useRefreshAgent();
  const isDraft = draft !== null;
  const saveDraft = async (edit: DraftEdit, base?: Base): Promise<string | null> => {
    const body = { ...edit, base: base && { ...base } };
    const { data } = await callOperation(editAgentDraft, { params: { agentId }, body }, { workspaceId });
    await refresh();
    return data.promptId;
  };
  /** Publishes, or saves the same into the draft; null then, for the pages were asked again already. */
  const save = async <Saved>(
    publish: () => Promise<Saved>,
    edit: DraftEdit,
    base?: Base,
  ): Promise<Saved | null> => {
    if (!isDraft) return publish();
    await saveDraft(edit, base);
    return null;
  };
  return { isDraft, saveDraft, save };
}
