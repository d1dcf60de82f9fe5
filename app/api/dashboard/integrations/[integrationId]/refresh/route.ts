import { refreshIntegration } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(refreshIntegration)(async ({ actor, params: { integrationId }, runtime }) => {
  const told = await runtime.integrationUse.refresh(actor, integrationId);
  return { data: { integration: await runtime.integrations.get(actor, integrationId), told } };
});
