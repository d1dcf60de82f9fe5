import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import type { WebhookSetting } from './rules.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** The webhook settings of the agent that held a call. Throws where the call is not in the workspace. */
export async function findSettingOfCall(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<WebhookSetting> {
  const [row] = await db
    .select({
      workspaceId: calls.workspaceId,
      isEnabled: agents.hasPostConversationWebhook,
      agentUrl: agents.postConversationWebhookUrl,
      workspaceUrl: workspaces.webhookUrl,
    })
    .from(calls)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .innerJoin(workspaces, eq(workspaces.id, calls.workspaceId))
    .where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Conversation');
}

/** Adds a delivery; false where the call has its one automatic delivery already. */
export async function insertDelivery(
  db: Database,
  workspaceId: WorkspaceId,
  delivery: Omit<typeof webhookDeliveries.$inferInsert, 'workspaceId'>,
): Promise<boolean> {
  const rows = await db
    .insert(webhookDeliveries)
    .values({ ...delivery, workspaceId })
    .onConflictDoNothing()
    .returning({ id: webhookDeliveries.id });
  return rows.length > 0;
}

export async function insertCallEvent(
  db: Database,
  workspaceId: WorkspaceId,
  event: { callId: string; type: string; data: Record<string, unknown>; at: Date },
): Promise<void> {
  await db.insert(callEvents).values({ ...event, workspaceId });
}

export async function findDelivery(
  db: Database,
  workspaceId: WorkspaceId,
  deliveryId: string,
): Promise<DeliveryRow> {
  const [row] = await db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, deliveryId));
  return ownedOrThrow(row, workspaceId, 'Webhook delivery');
}

/** The one automatic delivery of a call; undefined where there is none (yet). */
export async function findDeliveryOfCall(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.callId, callId),
        eq(webhookDeliveries.workspaceId, workspaceId),
        eq(webhookDeliveries.kind, 'call'),
      ),
    );
  return row;
}

/** Those of these calls of which a webhook waits or is being sent. */
export async function listWithOpenDelivery(
  db: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<string[]> {
  const rows = await db
    .select({ callId: webhookDeliveries.callId })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.workspaceId, workspaceId),
        inArray(webhookDeliveries.callId, [...callIds]),
        inArray(webhookDeliveries.status, ['pending', 'sending']),
      ),
    );
  return rows.flatMap(({ callId }) => (callId === null ? [] : [callId]));
}

/** What was sent about these calls, and what was answered, is gone; that something was sent stays in the log. */
export async function forgetCallsOfDeliveries(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ callId: null, body: null, signature: null, responseHeaders: null, responseBody: null })
    .where(
      and(eq(webhookDeliveries.workspaceId, workspaceId), inArray(webhookDeliveries.callId, [...callIds])),
    );
}
