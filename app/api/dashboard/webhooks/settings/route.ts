import { getWebhookSettings, updateWebhookSettings } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWebhookSettings)(async ({ actor, runtime }) => ({
  data: await runtime.webhooks.getSettings(actor),
}));

export const PUT = route(updateWebhookSettings)(async ({ actor, body, runtime }) => ({
  data: await runtime.webhooks.updateSettings(actor, body),
  message: 'Webhook saved',
}));
