import { loadActor } from '#lib/auth/loaders.ts';
import { hasRole } from '#lib/auth/rules.ts';
import { runtime } from '#lib/current-runtime.ts';
import type { ServiceStatus } from './contract.ts';

/** For admins and owners: undefined for others, who are told so. */
export async function loadServiceStatus(workspaceId: string): Promise<ServiceStatus | undefined> {
  const actor = await loadActor(workspaceId);
  return hasRole(actor.role, 'admin') ? runtime().status.overview(actor) : undefined;
}
