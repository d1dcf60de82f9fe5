import { listCampaignPeople } from '#lib/features/campaigns/people/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listCampaignPeople)(async ({ actor, params, query, runtime }) => ({
  data: await runtime.campaigns.people.list(actor, params.campaignId, query),
}));
