import { deriveAgentCard } from '#lib/features/agents/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(deriveAgentCard)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.deriveCard(actor, params.agentId),
  message: 'Voice card derived',
}));
