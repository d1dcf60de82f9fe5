import { and, inArray, isNull } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callOrders } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallOrder } from '#lib/engine/supervision.ts';

/** Leaves an order for the process that runs the call. */
export async function insertOrder(
  tx: Database,
  workspaceId: WorkspaceId,
  order: { callId: string; order: CallOrder; createdAt: Date },
): Promise<void> {
  await tx.insert(callOrders).values({ ...order, workspaceId });
}

/** Takes what was ordered for these calls, of any workspace, each order once. */
export async function takeOrders(
  db: Database,
  callIds: readonly string[],
  now: Date,
): Promise<{ callId: string; order: CallOrder }[]> {
  if (callIds.length === 0) return [];
  return db
    .update(callOrders)
    .set({ takenAt: now })
    .where(and(isNull(callOrders.takenAt), inArray(callOrders.callId, [...callIds])))
    .returning({ callId: callOrders.callId, order: callOrders.order });
}
