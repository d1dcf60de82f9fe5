import { getWebhookSecret, regenerateWebhookSecret } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWebhookSecret)(async ({ actor, runtime }) => ({
  data: await runtime.webhooks.getSecret(actor),
}));

export const POST = route(regenerateWebhookSecret)(async ({ actor, runtime }) => ({
  data: await runtime.webhooks.regenerateSecret(actor),
  message: 'Secret regenerated',
}));
