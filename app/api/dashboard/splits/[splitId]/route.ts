import { changeSplit, getSplit } from '#lib/features/publishing/splits/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getSplit)(async ({ actor, params, runtime }) => ({
  data: await runtime.splits.get(actor, params.splitId),
}));

export const PATCH = route(changeSplit)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.splits.change(actor, params.splitId, body.percent),
  message: 'Share changed',
}));
