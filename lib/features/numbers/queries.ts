import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getNumberCountry, getNumberSetup, listNumbers } from './contract.ts';

const root = (workspaceId: string) => ['numbers', workspaceId] as const;

export const numberQueries = {
  root,

  setup: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'setup'],
      queryFn: ({ signal }) =>
        callOperation(getNumberSetup, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  country: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'country'],
      queryFn: ({ signal }) =>
        callOperation(getNumberCountry, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  list: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listNumbers, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),
};
