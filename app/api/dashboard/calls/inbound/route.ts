import { simulateInboundCall } from '#lib/features/calls/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(simulateInboundCall)(async ({ actor, body, runtime }) => ({
  data: await runtime.calls.simulateInbound(actor, body),
  message: 'Call queued',
}));
