import { sendChatMessage } from '#lib/features/chats/contract.ts';
import { eventStream } from '#lib/http/event-stream.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(sendChatMessage)(async ({ actor, params, body, runtime }) =>
  eventStream(await runtime.chats.send(actor, params.chatId, body)),
);
