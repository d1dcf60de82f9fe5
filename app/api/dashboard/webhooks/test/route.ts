import { sendTestWebhook } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(sendTestWebhook)(async ({ actor, body, headers, runtime }) => ({
  data: await runtime.webhooks.sendTest(actor, body, headers['idempotency-key']),
  message: 'Test event sent',
}));
