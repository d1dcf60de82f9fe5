import { listAgentSummaries } from '#lib/features/agents/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listAgentSummaries)(async ({ actor, query, runtime }) => ({
  data: await runtime.agents.list(actor, query),
}));
