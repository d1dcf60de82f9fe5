import { reembedKnowledgeBase } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(reembedKnowledgeBase)(({ actor, params, runtime }) =>
  runtime.knowledge.embedding
    .start(actor, params.id)
    .then((data) => ({ data, message: 'Embedding started' })),
);
