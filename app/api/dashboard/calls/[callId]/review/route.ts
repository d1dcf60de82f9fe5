import { getCallReview, updateCallReview } from '#lib/features/reviews/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getCallReview)(async ({ actor, params, runtime }) => ({
  data: await runtime.reviews.get(actor, params.callId),
}));

export const PATCH = route(updateCallReview)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.reviews.update(actor, params.callId, body),
}));
