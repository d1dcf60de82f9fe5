import { getDocumentText } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getDocumentText)(({ actor, params, query, runtime }) =>
  runtime.knowledge.documents.extractedText(actor, params.documentId, query).then((data) => ({ data })),
);
