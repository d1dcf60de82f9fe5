import {
  deleteKnowledgeBase,
  getKnowledgeBase,
  updateKnowledgeBase,
} from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getKnowledgeBase)(({ actor, params, runtime }) =>
  runtime.knowledge.bases.get(actor, params.id).then((data) => ({ data })),
);
export const PUT = route(updateKnowledgeBase)(({ actor, params, body, runtime }) =>
  runtime.knowledge.bases
    .update(actor, params.id, body)
    .then((data) => ({ data, message: 'Knowledge base updated' })),
);
export const DELETE = route(deleteKnowledgeBase)(({ actor, params, runtime }) =>
  runtime.knowledge.bases
    .remove(actor, params.id)
    .then((data) => ({ data, message: 'Knowledge base deleted' })),
);
