import { createShare, listShares } from '#lib/features/shares/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listShares)(async ({ actor, params, runtime }) => ({
  data: { shares: await runtime.shares.list(actor, params.callId) },
}));

export const POST = route(createShare)(async ({ actor, params, body, headers, runtime }) => ({
  data: await runtime.shares.create(actor, params.callId, body.hours, headers['idempotency-key']),
}));
