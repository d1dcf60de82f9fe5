import { deleteIntegration, getIntegration, updateIntegration } from '#lib/features/integrations/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getIntegration)(async ({ actor, params, runtime }) => ({
  data: await runtime.integrations.get(actor, params.integrationId),
}));

export const PATCH = route(updateIntegration)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.integrations.update(actor, params.integrationId, body),
}));

export const DELETE = route(deleteIntegration)(async ({ actor, params, runtime }) => ({
  data: await runtime.integrations.remove(actor, params.integrationId),
}));
