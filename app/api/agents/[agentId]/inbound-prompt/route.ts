import { putInboundPrompt } from '#lib/features/agents/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(putInboundPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.agents.setInboundPrompt(actor, params.agentId, body),
  message: 'Inbound prompt updated',
}));
