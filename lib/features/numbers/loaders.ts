import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadNumbers(workspaceId: string) {
  return runtime().numbers.list(await loadActor(workspaceId));
}
