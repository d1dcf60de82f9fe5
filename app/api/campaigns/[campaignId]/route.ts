import { deleteCampaign, getCampaign, updateCampaign } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.get(actor, params.campaignId),
}));
export const PUT = route(updateCampaign)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.campaigns.update(actor, params.campaignId, body),
  message: 'Campaign updated',
}));
export const DELETE = route(deleteCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.remove(actor, params.campaignId),
  message: 'Campaign deleted',
}));
