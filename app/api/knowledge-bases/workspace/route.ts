import { listWorkspaceKnowledgeBases } from '#lib/features/knowledge/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listWorkspaceKnowledgeBases)(({ actor, runtime }) =>
  runtime.knowledge.bases.listNames(actor).then((data) => ({ data })),
);
