import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getServiceStatus } from './contract.ts';

const LOOK_EVERY_MS = 5_000;

export const statusQueries = {
  overview: (workspaceId: string) =>
    queryOptions({
      queryKey: ['status', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(getServiceStatus, {}, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: LOOK_EVERY_MS,
    }),
};
