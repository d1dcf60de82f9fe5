import { getDocumentDetail } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getDocumentDetail)(({ actor, params, runtime }) =>
  runtime.knowledge.documents.detail(actor, params.documentId).then((data) => ({ data })),
);
