import { addCallTag, removeCallTag } from '#lib/features/reviews/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(addCallTag)(async ({ actor, params, runtime }) => ({
  data: await runtime.reviews.addTag(actor, params.callId, params.tag),
}));

export const DELETE = route(removeCallTag)(async ({ actor, params, runtime }) => ({
  data: await runtime.reviews.removeTag(actor, params.callId, params.tag),
}));
