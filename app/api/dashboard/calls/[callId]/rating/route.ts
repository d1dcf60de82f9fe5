import { rateCall, unrateCall } from '#lib/features/reviews/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(rateCall)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.reviews.rate(actor, params.callId, body),
}));

export const DELETE = route(unrateCall)(async ({ actor, params, runtime }) => ({
  data: await runtime.reviews.unrate(actor, params.callId),
}));
