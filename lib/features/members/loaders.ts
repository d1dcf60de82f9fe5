import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadMembers(workspaceId: string) {
  return runtime().members.list(await loadActor(workspaceId));
}
