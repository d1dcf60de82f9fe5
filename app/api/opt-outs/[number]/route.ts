import { removeOptOut } from '#lib/features/opt-outs/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(removeOptOut)(async ({ actor, params, runtime }) => ({
  data: await runtime.optOuts.remove(actor, params.number),
  message: 'The number may be called again',
}));
