import { cache } from 'react';
import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadSplits(workspaceId: string, agentId: string) {
  return orNotFound(runtime().splits.list(await loadActor(workspaceId), agentId));
}

/** Once per request: the title of a page and the page itself both need it. */
export const loadSplit = cache(async (workspaceId: string, splitId: string) =>
  orNotFound(runtime().splits.get(await loadActor(workspaceId), splitId)),
);
