import { streamCall } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(streamCall)(async ({ actor, params, query, request, runtime }) =>
  runtime.callEvents.streamCall(actor, params.callId, request, query.after),
);
