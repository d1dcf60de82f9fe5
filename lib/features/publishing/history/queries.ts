import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getAgentVersion, listAgentVersions } from './contract.ts';

const root = (workspaceId: string) => ['versions', workspaceId] as const;

export const versionQueries = {
  root,

  list: (workspaceId: string, agentId: string) =>
    infiniteQueryOptions({
      queryKey: [...root(workspaceId), 'list', agentId],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listAgentVersions,
          { params: { agentId }, query: pageParam === null ? {} : { before: String(pageParam) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: null as number | null,
      getNextPageParam: (page) => page.nextBefore,
    }),

  /** A version never changes, but which one is published does. */
  detail: (workspaceId: string, versionId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'detail', versionId],
      queryFn: ({ signal }) =>
        callOperation(getAgentVersion, { params: { versionId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),
};
