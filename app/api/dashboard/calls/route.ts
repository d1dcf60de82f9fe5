import { listCalls } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listCalls)(async ({ actor, query, runtime }) => ({
  data: await runtime.conversations.listCalls(actor, query),
}));
