import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getDraftPublishing } from './contract.ts';

export const draftQueries = {
  /** Asked anew each time: simulations end meanwhile. */
  publishing: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: ['drafts', workspaceId, agentId, 'publishing'],
      queryFn: ({ signal }) =>
        callOperation(getDraftPublishing, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      staleTime: 0,
      gcTime: 0,
    }),
};
