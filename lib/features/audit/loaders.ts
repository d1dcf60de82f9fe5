import { notFound } from 'next/navigation';
import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

const PAGE_SIZE = 50;

/** The first page, unfiltered. The log is for admins and owners; for others the page does not exist. */
export async function loadAuditEvents(workspaceId: string) {
  const actor = await loadActor(workspaceId);
  if (actor.role !== 'admin' && actor.role !== 'owner') notFound();
  return runtime().audit.list(actor, { limit: PAGE_SIZE });
}
