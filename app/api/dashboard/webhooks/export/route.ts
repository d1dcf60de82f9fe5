import { exportWebhookDeliveries } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(exportWebhookDeliveries)(async ({ actor, query, runtime }) => {
  await runtime.audit.note(actor, { action: 'export.deliveries', targetId: null, data: query });
  return runtime.webhooks.exportDeliveries(actor, query);
});
