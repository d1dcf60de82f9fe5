import { queueOutboundCall } from '#lib/features/calls/contract.ts';
import { queuedMessage } from '#lib/features/calls/rules.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(queueOutboundCall)(async ({ actor, body, headers, runtime }) => {
  const { missingForOpening, ...data } = await runtime.calls.queueOutbound(
    actor,
    body,
    headers['idempotency-key'],
  );
  return { data, message: queuedMessage(missingForOpening) };
});
