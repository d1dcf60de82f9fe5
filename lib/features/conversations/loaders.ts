import { notFound } from 'next/navigation';
import { cache } from 'react';
import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';
import { isAppError } from '#lib/errors.ts';
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

/** One call, once per request; a page that does not exist where it is missing or another workspace's. */
export const loadCall = cache(async (workspaceId: string, callId: string) => {
  const actor = await loadActor(workspaceId);
  try {
    return await runtime().conversations.getCall(actor, callId);
  } catch (error) {
    if (isAppError(error) && error.status < 500) notFound();
    throw error;
  }
});
