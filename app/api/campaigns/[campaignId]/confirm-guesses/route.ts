import { confirmCampaignGuesses } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(confirmCampaignGuesses)(async ({ actor, params, runtime }) => ({
  data: await runtime.campaigns.confirmGuesses(actor, params.campaignId),
  message: 'Guessed numbers are called as they were read',
}));
