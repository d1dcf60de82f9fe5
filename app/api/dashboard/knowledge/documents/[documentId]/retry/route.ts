import { retryDocument } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(retryDocument)(({ actor, params, runtime }) =>
  runtime.knowledge.documents
    .retry(actor, params.documentId)
    .then((data) => ({ data, message: 'Document processed again' })),
);
