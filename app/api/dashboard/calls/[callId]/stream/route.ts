import { streamCall } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(streamCall)(async ({ actor, params, query, request, runtime }) => {
  const watchAccess = () => runtime.auth.watchAccess(request, actor, streamCall);
  return runtime.callEvents.streamCall({ actor, request, watchAccess }, params.callId, query.after);
});
