import { uploadCampaignPeople } from '#lib/features/campaigns/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(uploadCampaignPeople)(async ({ actor, params, request, runtime }) => ({
  data: await runtime.campaigns.intake.upload(actor, params.campaignId, request),
}));
