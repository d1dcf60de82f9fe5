import { getOverview } from '#lib/features/overview/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getOverview)(async ({ actor, query, runtime }) => ({
  data: await runtime.overview.get(actor, query),
}));
