import { endChat } from '#lib/features/chats/contract.ts';
import { CHAT_ENDS } from '#lib/features/chats/rules.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(endChat)(async ({ actor, params, runtime }) => ({
  data: await runtime.chats.end(actor, params.chatId, CHAT_ENDS.staff),
}));
