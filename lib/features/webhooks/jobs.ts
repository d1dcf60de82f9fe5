import type { JobKind, Queue } from '#lib/ports/queue.ts';
import type { WebhookSending } from './sending/service.ts';

/**
 * Wakes the sender: a delivery is waiting. The row in `webhook_deliveries` is the work and its fence; a job that is lost
 * or runs twice changes nothing, because pending rows are looked for again and a row is sent by whoever claims it.
 */
export const webhookWaiting: JobKind<{ deliveryId: string }> = { name: 'webhook.waiting' };

const LOOK_EVERY_MS = 2000;
/** Often enough that one or two turns may be lost. */
const CLOSE_ABANDONED_EVERY_MS = 2000;
const DROP_BODIES_EVERY_MS = 3_600_000;

/** `isOnlyProcess`: nobody else works on this database, so whatever is being sent at the start was abandoned. */
export async function registerWebhookJobs(
  queue: Queue,
  sending: WebhookSending,
  { isOnlyProcess }: { isOnlyProcess: boolean },
): Promise<void> {
  if (isOnlyProcess) await sending.closeAbandoned(0);
  await queue.work(webhookWaiting, { concurrency: 1, batchSize: 100, retryLimit: 0 }, () => {
    sending.wake();
    return Promise.resolve();
  });
  const look = () => {
    sending.wake();
    return Promise.resolve();
  };
  await queue.every('webhook.look', LOOK_EVERY_MS, look, { on: 'each' });
  await queue.every('webhook.abandoned', CLOSE_ABANDONED_EVERY_MS, () => sending.closeAbandoned());
  await queue.every('webhook.retention', DROP_BODIES_EVERY_MS, () => sending.dropOldBodies());
  await sending.dropOldBodies();
  sending.wake();
}
