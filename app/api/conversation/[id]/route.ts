import { getConversation } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getConversation)(async ({ actor, params, runtime }) => ({
  data: await runtime.conversations.get(actor, params.id),
}));
