import { cache } from 'react';
import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';
import { callFilter } from './contract.ts';
import type { CallListFilter } from './queries.ts';

/** One page of the calls that match a filter of the address. */
export async function loadCalls(
  workspaceId: string,
  filter: CallListFilter,
  page: { limit: number; skip: number },
) {
  const actor = await loadActor(workspaceId);
  return runtime().conversations.listCalls(actor, { ...callFilter.parse(filter), ...page });
}

/** The calls before and after one in the list that the filter makes. */
export async function loadNeighbours(workspaceId: string, callId: string, filter: CallListFilter) {
  const actor = await loadActor(workspaceId);
  return orNotFound(runtime().conversations.neighbours(actor, callId, callFilter.parse(filter)));
}

/** One call, once per request. */
export const loadCall = cache(async (workspaceId: string, callId: string) =>
  orNotFound(runtime().conversations.getCall(await loadActor(workspaceId), callId)),
);
