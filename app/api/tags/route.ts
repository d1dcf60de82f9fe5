import { listSystemTags } from '#lib/features/tags/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listSystemTags)(async ({ runtime }) => ({
  data: runtime.tags.system(),
}));
