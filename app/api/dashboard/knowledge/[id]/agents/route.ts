import { setKnowledgeBaseAgents } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const PUT = route(setKnowledgeBaseAgents)(({ actor, params, body, runtime }) =>
  runtime.knowledge.bases
    .setAgents(actor, params.id, body.agentIds)
    .then((data) => ({ data, message: 'Agents updated' })),
);
