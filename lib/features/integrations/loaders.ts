import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadIntegrations(workspaceId: string) {
  return runtime().integrations.list(await loadActor(workspaceId));
}

export async function loadIntegration(workspaceId: string, integrationId: string) {
  return orNotFound(runtime().integrations.get(await loadActor(workspaceId), integrationId));
}
