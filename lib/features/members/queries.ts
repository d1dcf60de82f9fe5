import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listMembers } from './contract.ts';

export const memberQueries = {
  list: (workspaceId: string) =>
    queryOptions({
      queryKey: ['members', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(listMembers, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
