import type { JobKind } from '#lib/ports/queue.ts';

/**
 * Wakes the sender: a delivery is waiting. The row in `webhook_deliveries` is the work and its fence; a job that is lost
 * or runs twice changes nothing, because pending rows are looked for again and a row is sent by whoever claims it.
 */
export const webhookWaiting: JobKind<{ deliveryId: string }> = { name: 'webhook.waiting' };
