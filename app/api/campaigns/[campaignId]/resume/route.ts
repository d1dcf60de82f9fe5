import { resumeCampaign } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(resumeCampaign)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.resume(actor, params.campaignId),
  message: 'Campaign resumed',
}));
