import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { Foundation } from '#lib/runtime.ts';
import { webhookWaiting } from './jobs.ts';
import { findSettingOfCall, insertCallEvent, insertDelivery } from './repository.ts';
import { decideWebhook } from './rules.ts';

export type WebhookDeps = Pick<Foundation, 'env' | 'db' | 'clock' | 'ids' | 'log' | 'queue'>;

export type WebhookService = ReturnType<typeof createWebhookService>;

export function createWebhookService(deps: WebhookDeps) {
  return {
    /**
     * Called inside the transaction that ends a call, connected or not: where the agent asks for a webhook, writes the
     * call's one delivery and queues it in the same transaction; where it asks but there is no URL, a call event says so.
     * A second call for the same conversation does nothing. Throws only when the call does not exist.
     */
    async callEnded(tx: Database, workspaceId: WorkspaceId, callId: string): Promise<void> {
      const decision = decideWebhook(await findSettingOfCall(tx, workspaceId, callId));
      const now = deps.clock.now();
      if (!decision.send) {
        if (decision.reason === undefined) return;
        await insertCallEvent(tx, workspaceId, {
          callId,
          type: 'webhook_not_sent',
          data: { reason: decision.reason },
          at: now,
        });
        return;
      }
      const id = deps.ids.next('whd');
      const delivery = {
        id,
        callId,
        kind: 'call' as const,
        status: 'pending' as const,
        url: decision.url,
        createdAt: now,
      };
      if (await insertDelivery(tx, workspaceId, delivery))
        await deps.queue.send(webhookWaiting, { deliveryId: id }, { tx });
    },
  };
}
