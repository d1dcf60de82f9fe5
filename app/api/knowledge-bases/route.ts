import { createKnowledgeBase, listKnowledgeBases } from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listKnowledgeBases)(({ actor, query, runtime }) =>
  runtime.knowledge.bases.list(actor, query).then((data) => ({ data })),
);

export const POST = route(createKnowledgeBase)(({ actor, body, runtime }) =>
  runtime.knowledge.bases.create(actor, body).then((data) => ({ data, message: 'Knowledge base created' })),
);
