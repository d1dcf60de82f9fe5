import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callOperation } from '#lib/http/client.ts';
import {
  type DeliverySummary,
  getWebhookDelivery,
  getWebhookHealth,
  getWebhookSettings,
  listWebhookDeliveries,
} from './contract.ts';

export type DeliveryFilter = {
  status?: 'failed' | 'delivered' | 'open' | undefined;
  kind?: DeliverySummary['kind'] | undefined;
  callId?: string | undefined;
};

/** Deliveries under way are followed closely; a finished log is asked for now and then. */
const OPEN_POLL_MS = 1_500;
const LOG_POLL_MS = 15_000;
const HEALTH_POLL_MS = 60_000;

const root = (workspaceId: string) => ['webhooks', workspaceId] as const;

const isOpen = (delivery: DeliverySummary) => delivery.status === 'pending' || delivery.status === 'sending';

export const webhookQueries = {
  root,

  settings: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'settings'],
      queryFn: ({ signal }) =>
        callOperation(getWebhookSettings, {}, { workspaceId, signal }).then((answer) => answer.data),
    }),

  deliveries: (workspaceId: string, { status, kind, callId }: DeliveryFilter = {}) =>
    infiniteQueryOptions({
      queryKey: [
        ...root(workspaceId),
        'deliveries',
        { status: status ?? '', kind: kind ?? '', callId: callId ?? '' },
      ],
      queryFn: ({ signal, pageParam }) =>
        callOperation(
          listWebhookDeliveries,
          {
            query: {
              ...(status ? { status } : {}),
              ...(kind ? { kind } : {}),
              ...(callId ? { callId } : {}),
              ...(pageParam ? { cursor: pageParam } : {}),
            },
          },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      initialPageParam: '',
      getNextPageParam: (page) => page.nextCursor ?? undefined,
      refetchInterval: (query) =>
        query.state.data?.pages.some((page) => page.deliveries.some(isOpen)) ? OPEN_POLL_MS : LOG_POLL_MS,
    }),

  delivery: (workspaceId: string, deliveryId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'delivery', deliveryId],
      queryFn: ({ signal }) =>
        callOperation(getWebhookDelivery, { params: { deliveryId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      refetchInterval: (query) => (query.state.data && isOpen(query.state.data) ? OPEN_POLL_MS : false),
    }),

  health: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'health'],
      queryFn: ({ signal }) =>
        callOperation(getWebhookHealth, {}, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: HEALTH_POLL_MS,
    }),
};
