import { listWebhookDeliveries } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listWebhookDeliveries)(async ({ actor, query, runtime }) => ({
  data: await runtime.webhooks.listDeliveries(actor, query),
}));
