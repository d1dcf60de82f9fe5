import { exportCampaign } from '#lib/features/campaigns/people/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportCampaign)(async ({ actor, params: { campaignId }, query, runtime }) => {
  const file = await runtime.campaigns.people.export(actor, campaignId, query.status);
  await runtime.audit.note(actor, { action: 'export.campaign', targetId: campaignId });
  return file;
});
