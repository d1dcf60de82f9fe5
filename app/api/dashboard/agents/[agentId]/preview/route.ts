import { previewPrompt } from '#lib/features/prompts/preview/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(previewPrompt)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.drafts.preview(actor, params.agentId, body),
}));
