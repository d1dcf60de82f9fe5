import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getMe, listSessions } from './contract.ts';

const root = ['profile'] as const;

export const profileQueries = {
  root,

  me: () =>
    queryOptions({
      queryKey: [...root, 'me'],
      queryFn: ({ signal }) => callOperation(getMe, {}, { signal }).then((answer) => answer.data),
    }),

  sessions: () =>
    queryOptions({
      queryKey: [...root, 'sessions'],
      queryFn: ({ signal }) => callOperation(listSessions, {}, { signal }).then((answer) => answer.data),
    }),
};
