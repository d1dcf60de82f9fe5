import { createNumber, listNumbers } from '#lib/features/numbers/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listNumbers)(async ({ actor, runtime }) => ({
  data: await runtime.numbers.list(actor),
}));

export const POST = route(createNumber)(async ({ actor, body, runtime }) => ({
  data: await runtime.numbers.create(actor, body),
}));
