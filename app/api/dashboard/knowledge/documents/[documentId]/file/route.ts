import { downloadDocument } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(downloadDocument)(({ actor, params, runtime }) =>
  runtime.knowledge.documents.download(actor, params.documentId),
);
