import { streamCalls } from '#lib/features/conversations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(streamCalls)(async ({ actor, query, request, runtime }) => {
  const mayContinue = runtime.auth.recheck(request, streamCalls);
  return runtime.callEvents.streamWorkspace({ actor, request, mayContinue }, query.after);
});
