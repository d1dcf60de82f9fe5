import { getResultFields, putResultFields } from '#lib/features/agents/results/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getResultFields)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.results.get(actor, params.agentId),
}));

export const PUT = route(putResultFields)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.agents.results.set(actor, params.agentId, body.fields),
}));
