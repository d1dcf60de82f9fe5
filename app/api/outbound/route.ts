import { queueOutboundCall } from '#lib/features/calls/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(queueOutboundCall)(async ({ actor, body, headers, runtime }) => ({
  data: await runtime.calls.queueOutbound(actor, body, headers['idempotency-key']),
  message: 'Call queued',
}));
