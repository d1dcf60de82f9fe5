import { createTag, listTags } from '#lib/features/tags/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listTags)(async ({ actor, runtime }) => ({
  data: await runtime.tags.list(actor),
}));

export const POST = route(createTag)(async ({ actor, body, runtime }) => ({
  data: await runtime.tags.create(actor, body),
}));
