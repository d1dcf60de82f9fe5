import { putAgentSettings } from '#lib/features/agents/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(putAgentSettings)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.agents.updateSettings(actor, params.agentId, body),
  message: 'Agent settings updated',
}));
