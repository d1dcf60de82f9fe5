import { startCampaign } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(startCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.start(actor, params.campaignId),
  message: 'Campaign started',
}));
