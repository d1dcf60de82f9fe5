import { streamCalls } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(streamCalls)(async ({ actor, query, request, runtime }) => {
  const watchAccess = () => runtime.auth.watchAccess(request, actor, streamCalls);
  return runtime.callEvents.streamWorkspace({ actor, request, watchAccess }, query.after);
});
