import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getModelHealth } from './contract.ts';

const POLL_MS = 60_000;

export const modelHealthQueries = {
  health: (workspaceId: string) =>
    queryOptions({
      queryKey: ['model-health', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(getModelHealth, {}, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: POLL_MS,
    }),
};
