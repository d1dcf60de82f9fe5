import { orderCall } from '#lib/features/calls/supervision/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(orderCall)(async ({ actor, params, body, runtime }) => {
  await runtime.supervision.order(actor, params.callId, body);
  return { data: null };
});
