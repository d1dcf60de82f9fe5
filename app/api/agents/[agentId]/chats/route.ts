import { createChat } from '#lib/features/chats/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(createChat)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.chats.create(actor, params.agentId, body),
}));
