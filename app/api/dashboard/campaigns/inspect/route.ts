import { inspectCampaignFile } from '#lib/features/campaigns/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(inspectCampaignFile)(
  async ({ actor, request, query: { from, header }, runtime }) => ({
    data: await runtime.campaigns.intake.inspect(actor, request, {
      from,
      hasHeader: header === undefined ? undefined : header === 'yes',
    }),
  }),
);
