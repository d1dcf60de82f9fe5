import { listAgentVersions } from '#lib/features/publishing/history/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listAgentVersions)(async ({ actor, params, query, runtime }) => ({
  data: await runtime.history.list(actor, params.agentId, query),
}));
