import { getWebhookDelivery } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWebhookDelivery)(async ({ actor, params, runtime }) => ({
  data: await runtime.webhooks.getDelivery(actor, params.deliveryId),
}));
