import { getDraftPublishing, publishAgentDraft } from '#lib/features/publishing/drafts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getDraftPublishing)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.publishing(actor, params.agentId),
}));

export const POST = route(publishAgentDraft)(async ({ actor, params, runtime }) => ({
  data: await runtime.drafts.publish(actor, params.agentId),
  message: 'Draft published',
}));
