import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { agentQueries } from '../queries.ts';
import { getResultFields } from './contract.ts';

export const resultFieldQueries = {
  fields: (workspaceId: string, agentId: string) =>
    queryOptions({
      queryKey: [...agentQueries.root(workspaceId), 'result-fields', agentId],
      queryFn: ({ signal }) =>
        callOperation(getResultFields, { params: { agentId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),
};
