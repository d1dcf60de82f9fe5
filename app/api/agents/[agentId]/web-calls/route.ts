import { createWebCall } from '#lib/features/calls/web/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(createWebCall)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.webCalls.prepare(actor, params.agentId, body),
}));
