import { getModelHealth } from '#lib/features/conversations/model-health/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getModelHealth)(async ({ actor, runtime }) => ({
  data: await runtime.modelHealth.get(actor),
}));
