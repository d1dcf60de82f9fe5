import { cancelCall } from '#lib/features/calls/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(cancelCall)(async ({ actor, params, runtime }) => {
  await runtime.calls.cancel(actor, params.callId);
  return { data: null, message: 'Call cancelled' };
});
