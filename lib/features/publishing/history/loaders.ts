import { cache } from 'react';
import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

const FIRST_PAGE = { limit: 30, before: undefined };

export async function loadVersions(workspaceId: string, agentId: string) {
  return orNotFound(runtime().history.list(await loadActor(workspaceId), agentId, FIRST_PAGE));
}

/** Once per request: the title of a page and the page itself both need it. */
export const loadVersion = cache(async (workspaceId: string, versionId: string) =>
  orNotFound(runtime().history.get(await loadActor(workspaceId), versionId)),
);
