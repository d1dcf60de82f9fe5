import { cancelCampaign } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(cancelCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.cancel(actor, params.campaignId),
  message: 'Campaign cancelled',
}));
