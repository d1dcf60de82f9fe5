import {
  deleteOutboundPrompt,
  getOutboundPrompt,
  putOutboundPrompt,
} from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getOutboundPrompt)(async ({ actor, params, runtime }) => ({
  data: await runtime.prompts.get(actor, params),
}));
export const PUT = route(putOutboundPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.prompts.update(actor, params, body),
  message: 'Outbound prompt updated',
}));
export const DELETE = route(deleteOutboundPrompt)(async ({ actor, params, runtime }) => ({
  data: await runtime.prompts.remove(actor, params),
  message: 'Outbound prompt deleted',
}));
