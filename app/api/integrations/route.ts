import { listIntegrations } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listIntegrations)(async ({ actor, runtime }) => ({
  data: await runtime.integrations.list(actor),
}));
