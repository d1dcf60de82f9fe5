import { deleteDocument } from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const DELETE = route(deleteDocument)(({ actor, params, runtime }) =>
  runtime.knowledge.documents
    .remove(actor, params.documentId)
    .then((data) => ({ data, message: 'Document deleted' })),
);
