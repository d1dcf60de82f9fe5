import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadKeys(workspaceId: string) {
  return runtime().keys.list(await loadActor(workspaceId));
}
