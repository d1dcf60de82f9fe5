import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import { getCampaign, listCampaigns, type Campaign } from './contract.ts';
import { listCampaignPeople, type PersonStatus } from './people/contract.ts';

export type PeopleListFilter = { status?: PersonStatus | undefined; disposition?: string | undefined };

/** How often a page asks again: what happens to people is told at once, the clock of a campaign is not. */
const RUNNING_POLL_MS = 5_000;
const PAGE_SIZE = 100;

const root = (workspaceId: string) => ['campaigns', workspaceId] as const;

/** Whether something happens in it by itself. */
export function isAtWork({ state }: Pick<Campaign, 'state'>): boolean {
  return state === 'running' || state === 'checking';
}

export const campaignQueries = {
  root,

  list: (workspaceId: string) =>
    infiniteQueryOptions({
      queryKey: [...root(workspaceId), 'list'],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listCampaigns,
          { query: pageParam === '' ? {} : { cursor: pageParam } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: '',
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: ({ state }) =>
        state.data?.pages.some((page) => page.campaigns.some(isAtWork)) ? RUNNING_POLL_MS : false,
    }),

  detail: (workspaceId: string, campaignId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), campaignId, 'detail'],
      queryFn: ({ signal }) =>
        callOperation(getCampaign, { params: { campaignId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? RUNNING_POLL_MS : false),
    }),

  people: (workspaceId: string, campaignId: string, filter: PeopleListFilter, pageSize = PAGE_SIZE) =>
    infiniteQueryOptions({
      queryKey: [...root(workspaceId), campaignId, 'people', filter, pageSize],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listCampaignPeople,
          {
            params: { campaignId },
            query: { ...filter, after: String(pageParam), limit: String(pageSize) } as never,
          },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: 0,
      getNextPageParam: (page) => page.nextAfter ?? undefined,
    }),
};
