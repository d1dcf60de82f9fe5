import { queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getAttention } from './attention/contract.ts';
import { getOverview } from './contract.ts';

/** As it stands in the address. */
export type OverviewFilter = {
  days?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  agentId?: string | undefined;
};

const POLL_MS = 60_000;

export const overviewQueries = {
  figures: (workspaceId: string, filter: OverviewFilter) =>
    queryOptions({
      queryKey: ['overview', workspaceId, filter],
      queryFn: ({ signal }) =>
        callOperation(getOverview, { query: filter }, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: POLL_MS,
      placeholderData: (previous) => previous,
    }),

  attention: (workspaceId: string) =>
    queryOptions({
      queryKey: ['attention', workspaceId],
      queryFn: ({ signal }) =>
        callOperation(getAttention, {}, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: POLL_MS,
    }),

  /** For the sidebar, which is drawn before a page brings `attention`: a query that waits would hide what it brings. */
  assigned: (workspaceId: string) =>
    queryOptions({
      queryKey: ['attention', workspaceId, 'assigned'],
      queryFn: ({ signal }) =>
        callOperation(getAttention, {}, { workspaceId, signal }).then((answer) => answer.data.assigned),
      refetchInterval: POLL_MS,
    }),
};
