import { inspectCampaignFile } from '#lib/features/campaigns/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(inspectCampaignFile)(async ({ request, query: { from, header }, runtime }) => ({
  data: await runtime.campaigns.intake.inspect(request, {
    from,
    hasHeader: header === undefined ? undefined : header === 'yes',
  }),
}));
