import { listDocumentChunks } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listDocumentChunks)(({ actor, params, query, runtime }) =>
  runtime.knowledge.documents.chunks(actor, params.documentId, query).then((data) => ({ data })),
);
