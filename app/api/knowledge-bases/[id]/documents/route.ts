import { listDocuments, uploadDocument } from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listDocuments)(({ actor, params, runtime }) =>
  runtime.knowledge.documents.list(actor, params.id).then((data) => ({ data })),
);

export const POST = route(uploadDocument)(({ actor, params, request, runtime }) =>
  runtime.knowledge.documents.upload(actor, params.id, request).then((data) => ({
    data,
    message: data.status === 'COMPLETED' ? 'Document processed' : 'Document could not be processed',
  })),
);
