import { exportWebhookDeliveries } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportWebhookDeliveries)(({ actor, query, runtime }) =>
  Promise.resolve(runtime.webhooks.exportDeliveries(actor, query)),
);
