import { streamCall } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(streamCall)(async ({ actor, params, query, request, runtime }) => {
  const mayContinue = runtime.auth.recheck(request, streamCall);
  return runtime.callEvents.streamCall({ actor, request, mayContinue }, params.callId, query.after);
});
