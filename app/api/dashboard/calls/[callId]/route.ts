import { getCall } from '#lib/features/conversations/contract.ts';
import { deleteCall } from '#lib/features/deletion/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getCall)(async ({ actor, params, runtime }) => ({
  data: await runtime.conversations.getCall(actor, params.callId),
}));

export const DELETE = route(deleteCall)(async ({ actor, params, runtime }) => ({
  data: await runtime.deletion.delete(actor, params.callId),
}));
