import { listAgentKnowledgeBases, setAgentKnowledgeBases } from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listAgentKnowledgeBases)(({ actor, params, runtime }) =>
  runtime.knowledge.bases.listOfAgent(actor, params.agentId).then((data) => ({ data })),
);

export const PUT = route(setAgentKnowledgeBases)(({ actor, params, body, runtime }) =>
  runtime.knowledge.bases
    .setOfAgent(actor, params.agentId, body.knowledgeBaseIds)
    .then((data) => ({ data, message: 'Knowledge bases updated' })),
);
