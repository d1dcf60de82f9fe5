import { loadActor } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';
import { getOverview } from './contract.ts';
import type { OverviewFilter } from './queries.ts';

export async function loadOverview(workspaceId: string, filter: OverviewFilter) {
  const actor = await loadActor(workspaceId);
  return runtime().overview.get(actor, getOverview.query.parse(filter));
}

export async function loadAttention(workspaceId: string) {
  return runtime().attention.get(await loadActor(workspaceId));
}
