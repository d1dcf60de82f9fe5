import { publishAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(publishAgentDraft)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.publish(actor, params.agentId),
  message: 'Draft published',
}));
