import { getCallNeighbours } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getCallNeighbours)(async ({ actor, params, query, runtime }) => ({
  data: await runtime.conversations.neighbours(actor, params.callId, query),
}));
