import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listAgents } from './contract.ts';
import { getAgentDetail, listAgentSummaries } from './dashboard/contract.ts';

export type AgentListFilter = { search?: string | undefined; active?: 'true' | 'false' | undefined };

const root = (workspaceId: string) => ['agents', workspaceId] as const;

export const agentQueries = {
  root,

  list: (workspaceId: string, { search, active }: AgentListFilter = {}) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list', { search: search ?? '', active: active ?? '' }],
      queryFn: ({ signal }) =>
        callOperation(
          listAgentSummaries,
          { query: { ...(search ? { search } : {}), ...(active ? { active } : {}) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      placeholderData: (previous) => previous,
    }),

  /** Whole agents, the oldest first, as far as one page goes. */
  all: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'all'],
      queryFn: ({ signal }) =>
        callOperation(listAgents, { query: { limit: '100' } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  detail: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'detail', agentId],
      queryFn: ({ signal }) =>
        callOperation(getAgentDetail, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),
};
