import { importOptOuts } from '#lib/features/opt-outs/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(importOptOuts)(async ({ actor, body, runtime }) => ({
  data: await runtime.optOuts.import(actor, body),
}));
