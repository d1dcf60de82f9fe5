import { queryOptions } from '@tanstack/react-query';
import { callOperation, operationUrl } from '#lib/http/client.ts';
import { getWaveform } from '#lib/features/recordings/contract.ts';
import {
  getCall,
  getCallNeighbours,
  listCalls,
  streamCall,
  streamCalls,
  type CallDetail,
  type CallListItem,
} from './contract.ts';
import { exportCalls } from './export/contract.ts';

/** The filter as it stands in the address: texts, each left out when it is not set. */
export type CallListFilter = {
  agentId?: string | undefined;
  channel?: 'call' | 'chat' | undefined;
  direction?: 'INBOUND' | 'OUTBOUND' | undefined;
  sentiment?: NonNullable<CallListItem['sentiment']> | undefined;
  disposition?: NonNullable<CallListItem['disposition']> | undefined;
  tag?: string | undefined;
  campaignId?: string | undefined;
  promptId?: string | undefined;
  versionId?: string | undefined;
  status?: CallListItem['status'] | 'live' | undefined;
  search?: string | undefined;
  review?: 'open' | 'done' | undefined;
  assignee?: string | undefined;
  /** Unix milliseconds. */
  dateStart?: string | undefined;
  dateEnd?: string | undefined;
  tests?: 'without' | 'only' | undefined;
};

/** How often lists ask again should the event stream be cut off. */
const LIST_POLL_MS = 30_000;
const OPEN_CALL_POLL_MS = 5_000;
export const LIVE_LIMIT = 6;

const root = (workspaceId: string) => ['calls', workspaceId] as const;

/** Nothing about it changes any more: it ended, and its webhook, if any, came to an end too. */
function isSettled(call: CallDetail | undefined): boolean {
  if (call?.status !== 'ended') return false;
  return call.webhook?.status !== 'pending' && call.webhook?.status !== 'sending';
}

export const conversationQueries = {
  root,

  list: (workspaceId: string, filter: CallListFilter, page: { limit: number; skip: number }) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'list', filter, page],
      queryFn: ({ signal }) =>
        callOperation(
          listCalls,
          { query: { ...filter, limit: String(page.limit), skip: String(page.skip) } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      refetchInterval: LIST_POLL_MS,
    }),

  /** The newest calls and chats that have not ended, a few of them. */
  live: (workspaceId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'live'],
      queryFn: ({ signal }) =>
        callOperation(
          listCalls,
          { query: { status: 'live', limit: String(LIVE_LIMIT), skip: '0' } },
          { workspaceId, signal },
        ).then((answer) => answer.data),
      refetchInterval: LIST_POLL_MS,
    }),

  detail: (workspaceId: string, callId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'detail', callId],
      queryFn: ({ signal }) =>
        callOperation(getCall, { params: { callId } }, { workspaceId, signal }).then((answer) => answer.data),
      refetchInterval: (query) => (isSettled(query.state.data) ? false : OPEN_CALL_POLL_MS),
    }),

  neighbours: (workspaceId: string, callId: string, filter: CallListFilter) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'neighbours', callId, filter],
      queryFn: ({ signal }) =>
        callOperation(getCallNeighbours, { params: { callId }, query: filter }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
    }),

  waveform: (workspaceId: string, callId: string) =>
    queryOptions({
      queryKey: [...root(workspaceId), 'waveform', callId],
      queryFn: ({ signal }) =>
        callOperation(getWaveform, { params: { callId } }, { workspaceId, signal }).then(
          (answer) => answer.data,
        ),
      // A recording never changes.
      staleTime: Infinity,
    }),
};

/** Addresses that the browser opens by itself, without headers of ours: the workspace travels in the query. */
export const conversationLinks = {
  callStream: (workspaceId: string, callId: string) =>
    operationUrl(streamCall, { params: { callId }, query: { workspaceId } }),
  callsStream: (workspaceId: string) => operationUrl(streamCalls, { query: { workspaceId } }),
  export: (workspaceId: string, filter: CallListFilter) =>
    operationUrl(exportCalls, { query: { ...filter, workspaceId } }),
};
