import { deleteCallNote, editCallNote } from '#lib/features/notes/contract.ts';
import { route } from '#lib/http/route.ts';

export const PATCH = route(editCallNote)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.notes.edit(actor, params, body.text),
}));

export const DELETE = route(deleteCallNote)(async ({ actor, params, runtime }) => {
  await runtime.notes.remove(actor, params);
  return { data: null };
});
