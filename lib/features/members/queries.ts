import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listMembers } from './contract.ts';

const root = (workspaceId: string) => ['members', workspaceId] as const;

export const memberQueries = {
  root,

  list: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listMembers, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
