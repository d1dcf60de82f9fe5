import { loadActor } from '#lib/auth/loaders.ts';
import { hasRole } from '#lib/auth/rules.ts';
import { runtime } from '#lib/current-runtime.ts';

const PAGE_SIZE = 50;

/** The first page, unfiltered. The log is for admins and owners: undefined for others, who are told so. */
export async function loadAuditEvents(workspaceId: string) {
  const actor = await loadActor(workspaceId);
  if (!hasRole(actor.role, 'admin')) return undefined;
  return runtime().audit.list(actor, { limit: PAGE_SIZE });
}
