import { infiniteQueryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listOptOuts } from './contract.ts';

const root = (workspaceId: string) => ['opt-outs', workspaceId] as const;

export const optOutQueries = {
  root,

  list: (workspaceId: string, search: string) =>
    infiniteQueryOptions({
      queryKey: [...root(workspaceId), { search }],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listOptOuts,
          { query: { ...(search === '' ? {} : { search }), ...(pageParam ? { cursor: pageParam } : {}) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: '',
      getNextPageParam: (page) => page.nextCursor ?? undefined,
    }),
};
