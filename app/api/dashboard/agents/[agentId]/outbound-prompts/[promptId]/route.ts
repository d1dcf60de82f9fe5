import { getOutboundPromptDetail, updateOutboundPrompt } from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getOutboundPromptDetail)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.getPromptDetail(actor, params),
}));

export const PATCH = route(updateOutboundPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.prompts.patch(actor, params, body),
  message: 'Outbound prompt updated',
}));
