import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getCallReview } from './contract.ts';

/** Others may review beside the one who looks. */
const POLL_MS = 15_000;

export const reviewQueries = {
  ofCall: (workspaceId: string, callId: string) =>
    queryOptions({
      queryKey: ['reviews', workspaceId, callId],
      queryFn: ({ signal }) =>
        callOperation(getCallReview, { params: { callId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: POLL_MS,
    }),
};
