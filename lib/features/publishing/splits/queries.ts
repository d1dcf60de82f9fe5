import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getSplit, listSplits } from './contract.ts';

const RESULTS_POLL_MS = 60_000;

const root = (workspaceId: string) => ['splits', workspaceId] as const;

export const splitQueries = {
  root,

  list: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list', agentId],
      queryFn: ({ signal }) =>
        callOperation(listSplits, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  results: (workspaceId: string, splitId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'results', splitId],
      queryFn: ({ signal }) =>
        callOperation(getSplit, { params: { splitId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: RESULTS_POLL_MS,
    }),
};
