import { createKey, listKeys } from '#lib/features/keys/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listKeys)(async ({ actor, runtime }) => ({
  data: await runtime.keys.list(actor),
}));

export const POST = route(createKey)(async ({ actor, body, runtime }) => ({
  data: await runtime.keys.create(actor, body),
}));
