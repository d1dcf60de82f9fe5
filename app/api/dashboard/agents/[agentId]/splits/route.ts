import { listSplits, startSplit } from '#lib/features/publishing/splits/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listSplits)(async ({ actor, params, runtime }) => ({
  data: await runtime.splits.list(actor, params.agentId),
}));

export const POST = route(startSplit)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.splits.start(actor, params.agentId, body),
  message: 'Share started',
}));
