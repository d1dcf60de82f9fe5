import { getAttention } from '#lib/features/overview/attention/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getAttention)(async ({ actor, runtime }) => ({
  data: await runtime.attention.get(actor),
}));
