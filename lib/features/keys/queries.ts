import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listKeys } from './contract.ts';

const root = (workspaceId: string) => ['keys', workspaceId] as const;

export const keyQueries = {
  root,

  list: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listKeys, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
