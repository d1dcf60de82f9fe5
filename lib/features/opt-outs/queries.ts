import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { listOptOuts } from './contract.ts';

const root = (workspaceId: string) => ['opt-outs', workspaceId] as const;

export const optOutQueries = {
  root,

  /** The entry of a number in E.164 form; null where it is not on the list. */
  ofNumber: (workspaceId: string, number: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'number', number],
      queryFn: ({ signal }) =>
        callOperation(listOptOuts, { query: { search: number } }, { workspaceId, signal }).then(
          ({ data }) => data.optOuts.find((each) => each.number === number) ?? null,
        ),
    }),

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
