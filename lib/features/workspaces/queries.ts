import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getUsage, getWorkspace } from './contract.ts';

/** Minutes move while calls run. */
const USAGE_POLL_MS = 15_000;

const root = (workspaceId: string) => ['workspaces', workspaceId] as const;

export const workspaceQueries = {
  root,

  settings: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'settings'],
      queryFn: ({ signal }) =>
        callOperation(getWorkspace, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  usage: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'usage'],
      queryFn: ({ signal }) =>
        callOperation(getUsage, {}, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: USAGE_POLL_MS,
    }),
};
