import { createAgent, listAgents } from '#lib/features/agents/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listAgents)(async ({ actor, query, runtime }) => ({
  data: await runtime.agents.listPage(actor, query),
}));

export const POST = route(createAgent)(async ({ actor, body, runtime }) => ({
  data: await runtime.agents.create(actor, body),
  message: 'Agent created',
}));
