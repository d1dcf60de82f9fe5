import { duplicateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(duplicateAgent)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.duplicate(actor, params.agentId),
  message: 'Agent duplicated',
}));
