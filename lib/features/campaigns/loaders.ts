import { loadActor, orNotFound } from '#lib/auth/loaders.ts';
import { runtime } from '#lib/current-runtime.ts';

/** The first page of the list. */
export async function loadCampaigns(workspaceId: string) {
  return runtime().campaigns.list(await loadActor(workspaceId), { limit: 50 });
}

export async function loadCampaign(workspaceId: string, campaignId: string) {
  return orNotFound(runtime().campaigns.get(await loadActor(workspaceId), campaignId));
}
