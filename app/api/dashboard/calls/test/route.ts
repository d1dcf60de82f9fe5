import { placeTestCall } from '#lib/features/calls/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(placeTestCall)(async ({ actor, body, runtime }) => ({
  data: await runtime.calls.placeTest(actor, body),
}));
