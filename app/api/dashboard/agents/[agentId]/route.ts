import { getAgentDetail, updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getAgentDetail)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.getDetail(actor, params.agentId),
}));

export const PATCH = route(updateAgent)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.agents.update(actor, params.agentId, body),
  message: 'Agent updated',
}));
