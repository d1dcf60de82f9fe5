import { deleteTag, updateTag } from '#lib/features/tags/contract.ts';
import { route } from '#lib/http/route.ts';

export const PATCH = route(updateTag)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.tags.update(actor, params.name, body),
}));

export const DELETE = route(deleteTag)(async ({ actor, params, runtime }) => ({
  data: await runtime.tags.remove(actor, params.name),
}));
