import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listNumbers } from './contract.ts';

export const numberQueries = {
  list: (workspaceId: string) =>
    queryOptions({
      queryKey: ['numbers', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(listNumbers, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
