import { createWebCall } from '#lib/features/calls/web/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(createWebCall)(async ({ actor, params, body, request, runtime }) => {
  // Who is signed in asks from the page that will connect; a server with a key asks for somebody else's.
  const page = actor.kind === 'user' ? request.headers.get('origin') : null;
  const wanted = body.origin === undefined && page !== null ? { ...body, origin: page } : body;
  return { data: await runtime.webCalls.prepare(actor, params.agentId, wanted) };
});
