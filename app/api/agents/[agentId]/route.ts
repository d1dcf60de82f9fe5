import { deleteAgent, getAgent } from '#lib/features/agents/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getAgent)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.get(actor, params.agentId),
}));

export const DELETE = route(deleteAgent)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.remove(actor, params.agentId),
  message: 'Agent deleted',
}));
