import { pauseCampaign } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(pauseCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.pause(actor, params.campaignId),
  message: 'Campaign paused',
}));
