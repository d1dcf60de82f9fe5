import { createOutboundPrompt, listOutboundPrompts } from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listOutboundPrompts)(async ({ actor, params, runtime }) => ({
  data: await runtime.prompts.list(actor, params.agentId),
}));

export const POST = route(createOutboundPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.prompts.create(actor, params.agentId, body),
  message: 'Outbound prompt created',
}));
