import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listKeys } from './contract.ts';

export const keyQueries = {
  list: (workspaceId: string) =>
    queryOptions({
      queryKey: ['keys', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(listKeys, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
