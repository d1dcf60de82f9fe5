import { endSplit } from '#lib/features/publishing/splits/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(endSplit)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.splits.end(actor, params.splitId, body.how),
  message: 'Share ended',
}));
