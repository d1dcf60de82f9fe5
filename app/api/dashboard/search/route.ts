import { searchWorkspace } from '#lib/features/search/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(searchWorkspace)(async ({ actor, query, runtime }) => ({
  data: await runtime.search.find(actor, query.q),
}));
