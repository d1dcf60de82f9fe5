import { getKnowledgeOverview } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getKnowledgeOverview)(({ actor, params, runtime }) =>
  runtime.knowledge.bases.overview(actor, params.id).then((data) => ({ data })),
);
