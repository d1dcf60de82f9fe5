import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

/** The first page of the list. */
export async function loadOptOuts(workspaceId: string) {
  return runtime().optOuts.list(await loadActor(workspaceId), { limit: 50 });
}
