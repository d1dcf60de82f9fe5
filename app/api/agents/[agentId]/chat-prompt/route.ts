import { getChatPrompt, putChatPrompt } from '#lib/features/agents/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getChatPrompt)(async ({ actor, params, runtime }) => ({
  data: await runtime.agents.getChatPrompt(actor, params.agentId),
}));

export const PUT = route(putChatPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.agents.setChatPrompt(actor, params.agentId, body),
  message: 'Chat prompt updated',
}));
