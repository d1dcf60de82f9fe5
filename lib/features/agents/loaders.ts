import { cache } from 'react';
import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadAgents(workspaceId: string) {
  return runtime().agents.list(await loadActor(workspaceId), {});
}

/** Once per request: the frame of an agent's pages and the page in it both need it. */
export const loadAgentDetail = cache(async (workspaceId: string, agentId: string) =>
  orNotFound(runtime().drafts.getDetail(await loadActor(workspaceId), agentId)),
);
