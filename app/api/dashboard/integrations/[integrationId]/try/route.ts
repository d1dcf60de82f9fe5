import { tryIntegration } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(tryIntegration)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.integrationUse.tryOut(actor, params.integrationId, body),
}));
