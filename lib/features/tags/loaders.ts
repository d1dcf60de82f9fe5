import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadTags(workspaceId: string) {
  return runtime().tags.list(await loadActor(workspaceId));
}
