import { getChat } from '#lib/features/chats/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getChat)(async ({ actor, params, runtime }) => ({
  data: await runtime.chats.get(actor, params.chatId),
}));
