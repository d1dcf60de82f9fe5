import { discardAgentDraft, editAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(editAgentDraft)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.drafts.edit(actor, params.agentId, body),
  message: 'Draft saved',
}));

export const DELETE = route(discardAgentDraft)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.discard(actor, params.agentId),
  message: 'Draft discarded',
}));
