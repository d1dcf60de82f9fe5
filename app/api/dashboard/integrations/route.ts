import { createIntegration } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(createIntegration)(async ({ actor, body, runtime }) => ({
  data: await runtime.integrations.create(actor, body),
}));
