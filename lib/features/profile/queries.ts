import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getMe, listSessions } from './contract.ts';

export const profileQueries = {
  me: () =>
    queryOptions({
      queryKey: ['me'],
      queryFn: ({ signal }) => callOperation(getMe, {}, { signal }).then((answer) => answer.data),
    }),

  sessions: () =>
    queryOptions({
      queryKey: ['sessions'],
      queryFn: ({ signal }) => callOperation(listSessions, {}, { signal }).then((answer) => answer.data),
    }),
};
