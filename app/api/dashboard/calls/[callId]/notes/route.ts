import { addCallNote, listCallNotes } from '#lib/features/notes/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listCallNotes)(async ({ actor, params, runtime }) => ({
  data: { notes: await runtime.notes.list(actor, params.callId) },
}));

export const POST = route(addCallNote)(async ({ actor, params, body, headers, runtime }) => ({
  data: await runtime.notes.add(actor, params.callId, body.text, headers['idempotency-key']),
}));
