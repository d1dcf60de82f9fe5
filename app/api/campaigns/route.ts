import { createCampaign, listCampaigns } from '#lib/features/campaigns/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listCampaigns)(async ({ actor, query, runtime }) => ({
  data: await runtime.campaigns.list(actor, query),
}));

export const POST = route(createCampaign)(async ({ actor, body, headers, runtime }) => ({
  data: await runtime.campaigns.intake.create(actor, body, headers['idempotency-key']),
  message: 'Campaign created',
}));
