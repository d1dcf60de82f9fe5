import { workspacePath } from '#components/layout/navigation.ts';
import { callFilter } from '#lib/features/conversations/contract.ts';
import type { CallListFilter } from '#lib/features/conversations/queries.ts';

export const PAGE_SIZE = 25;

export type SearchParams = Record<string, string | string[] | undefined>;

const FIELDS = [
  'agentId',
  'channel',
  'direction',
  'sentiment',
  'disposition',
  'tag',
  'campaignId',
  'promptId',
  'versionId',
  'result',
  'status',
  'review',
  'assignee',
  'search',
  'dateStart',
  'dateEnd',
  'tests',
] as const;

/** What the list shows where the address names no status: finished conversations; running ones stand above it. */
const DEFAULT_STATUS = 'ended';

/** Reads the filter out of an address. A value that the operation would refuse is left out, not an error page. */
export function readFilter(params: SearchParams): CallListFilter {
  const given = FIELDS.flatMap((field) => {
    const value = first(params[field]);
    return value && callFilter.shape[field].safeParse(value).success ? [[field, value] as const] : [];
  });
  return Object.fromEntries(given);
}

export function readSkip(params: SearchParams): number {
  const skip = Number(first(params.skip) ?? 0);
  return Number.isSafeInteger(skip) && skip > 0 ? skip : 0;
}

/** The filter that is asked for: finished calls, unless the address names another status or `any`. */
export function requestedFilter(params: SearchParams): CallListFilter {
  const filter = readFilter(params);
  if (first(params.status) === 'any') return filter;
  return { ...filter, status: filter.status ?? DEFAULT_STATUS };
}

/** The query of an address with some of its values changed; a changed filter goes back to the first page. */
export function changedQuery(current: URLSearchParams, changes: Record<string, string | undefined>): string {
  const next = new URLSearchParams(current);
  if (!('skip' in changes)) next.delete('skip');
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined || value === '') next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  return text ? `?${text}` : '';
}

/** Where the page of the list begins that shows the conversation at a position, counted from 1. */
export function pageStart(position: number): number {
  return Math.floor((position - 1) / PAGE_SIZE) * PAGE_SIZE;
}

/** A conversation, with the filter of the list that it is opened from: it leads to its neighbours there and back. */
export function conversationPath(workspaceId: string, callId: string, list: URLSearchParams): string {
  return `${workspacePath(workspaceId, `conversations/${encodeURIComponent(callId)}`)}${changedQuery(list, {})}`;
}

/** Whether anything narrows the list, apart from the page. */
export function isFiltered(params: SearchParams): boolean {
  return Object.keys(readFilter(params)).length > 0;
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
