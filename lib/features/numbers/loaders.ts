import { loadActor } from '#lib/auth/loaders.ts';
import { hasRole } from '#lib/auth/rules.ts';
import { runtime } from '#lib/current-runtime.ts';

export async function loadNumbers(workspaceId: string) {
  return runtime().numbers.list(await loadActor(workspaceId));
}

/** Undefined for whoever is no admin. */
export async function loadNumberSetup(workspaceId: string) {
  const actor = await loadActor(workspaceId);
  return hasRole(actor.role, 'admin') ? runtime().numbers.setup() : undefined;
}
