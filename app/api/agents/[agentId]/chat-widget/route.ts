import { getChatWidget, putChatWidget } from '#lib/features/chats/widget/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getChatWidget)(async ({ actor, params, runtime }) => ({
  data: await runtime.chatWidgets.get(actor, params.agentId),
}));

export const PUT = route(putChatWidget)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.chatWidgets.change(actor, params.agentId, body),
}));
