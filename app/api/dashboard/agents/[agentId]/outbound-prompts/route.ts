import { listEditedPrompts } from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listEditedPrompts)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.listPrompts(actor, params.agentId),
}));
