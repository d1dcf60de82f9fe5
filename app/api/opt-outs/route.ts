import { addOptOut, listOptOuts } from '#lib/features/opt-outs/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listOptOuts)(async ({ actor, query, runtime }) => ({
  data: await runtime.optOuts.list(actor, query),
}));

export const POST = route(addOptOut)(async ({ actor, body, runtime }) => ({
  data: await runtime.optOuts.add(actor, body),
  message: 'The number is not called again',
}));
