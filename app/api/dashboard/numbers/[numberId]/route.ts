import { deleteNumber, updateNumber } from '#lib/features/numbers/contract.ts';
import { route } from '#lib/http/route.ts';

export const PATCH = route(updateNumber)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.numbers.update(actor, params.numberId, body),
}));

export const DELETE = route(deleteNumber)(async ({ actor, params, runtime }) => ({
  data: await runtime.numbers.remove(actor, params.numberId),
}));
