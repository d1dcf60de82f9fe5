import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listTags } from './contract.ts';

export const tagQueries = {
  list: (workspaceId: string) =>
    queryOptions({
      queryKey: ['tags', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(listTags, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
