import { listConversations } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listConversations)(async ({ actor, query, runtime }) => ({
  data: await runtime.conversations.list(actor, query),
}));
