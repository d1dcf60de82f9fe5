import { searchKnowledge } from '#lib/features/knowledge/dashboard/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(searchKnowledge)(({ actor, body, runtime }) =>
  runtime.knowledge.search(actor, body).then((data) => ({ data })),
);
