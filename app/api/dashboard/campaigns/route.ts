import { createCampaignDraft } from '#lib/features/campaigns/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(createCampaignDraft)(async ({ actor, body, headers, runtime }) => ({
  data: await runtime.campaigns.intake.draft(actor, body, headers['idempotency-key']),
}));
