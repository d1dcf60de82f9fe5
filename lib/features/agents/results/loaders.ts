import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadResultFields(workspaceId: string, agentId: string) {
  return orNotFound(runtime().agents.results.get(await loadActor(workspaceId), agentId));
}
