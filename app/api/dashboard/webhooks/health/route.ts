import { getWebhookHealth } from '#lib/features/webhooks/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(getWebhookHealth)(async ({ actor, runtime }) => ({
  data: await runtime.webhooks.getHealth(actor),
}));
