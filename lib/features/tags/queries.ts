import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listTags } from './contract.ts';

const root = (workspaceId: string) => ['tags', workspaceId] as const;

export const tagQueries = {
  root,

  list: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listTags, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
