import { resendWebhook } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(resendWebhook)(async ({ actor, params, runtime }) => ({
  data: await runtime.webhooks.resend(actor, params.deliveryId),
  message: 'Webhook queued',
}));
