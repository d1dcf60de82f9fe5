import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listSavedViews } from './contract.ts';

export const savedViewQueries = {
  list: (workspaceId: string) =>
    queryOptions({
      queryKey: ['saved-views', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(listSavedViews, {}, { workspaceId, signal }).then((answer) => answer.data.views),
    }),
};
