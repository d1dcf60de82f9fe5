import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getIntegration, listIntegrations } from './contract.ts';

const root = (workspaceId: string) => ['integrations', workspaceId] as const;

export const integrationQueries = {
  root,

  list: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal }) =>
        callOperation(listIntegrations, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  detail: (workspaceId: string, integrationId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'detail', integrationId],
      queryFn: ({ signal }) =>
        callOperation(getIntegration, { params: { integrationId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),
};
