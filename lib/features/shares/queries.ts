import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listShares } from './contract.ts';

const POLL_MS = 30_000;

export const shareQueries = {
  ofCall: (workspaceId: string, callId: string) =>
    queryOptions({
      queryKey: ['shares', workspaceId, callId],
      queryFn: ({ signal }) =>
        callOperation(listShares, { params: { callId } }, { workspaceId, signal }).then(
          (answer) => answer.data.shares,
        ),
      refetchInterval: POLL_MS,
    }),
};
