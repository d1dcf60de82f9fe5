import { getPromptCatalog } from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getPromptCatalog)(async ({ actor, runtime }) => ({
  data: await runtime.prompts.catalog(actor),
}));
