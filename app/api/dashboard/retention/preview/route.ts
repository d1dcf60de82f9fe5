import { previewRetention } from '#lib/features/retention/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(previewRetention)(async ({ actor, query, runtime }) => ({
  data: await runtime.retention.preview(actor, query),
}));
