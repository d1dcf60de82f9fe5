import { and, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export async function countCalls(db: Database, workspaceId: WorkspaceId): Promise<number> {
  return db.$count(calls, eq(calls.workspaceId, workspaceId));
}

export async function isCallEnded(db: Database, workspaceId: WorkspaceId, callId: string): Promise<boolean> {
  const [row] = await db
    .select({ status: calls.status })
    .from(calls)
    .where(and(eq(calls.workspaceId, workspaceId), eq(calls.id, callId)));
  return row?.status === 'ended';
}

/**
 * Moves an ended call and its events back to `startedAt`; what happened between them took `stretch` times as long.
 */
export async function moveCallTo(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  to: { startedAt: Date; stretch: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [call] = await tx
      .select()
      .from(calls)
      .where(and(eq(calls.workspaceId, workspaceId), eq(calls.id, callId)));
    if (!call) return;
    const from = call.dateInitiated;
    const moved = (at: Date) =>
      new Date(to.startedAt.getTime() + (at.getTime() - from.getTime()) * to.stretch);
    await tx
      .update(calls)
      .set({
        dateInitiated: to.startedAt,
        createdAt: moved(call.createdAt),
        updatedAt: moved(call.updatedAt),
        answeredAt: call.answeredAt && moved(call.answeredAt),
        endedAt: call.endedAt && moved(call.endedAt),
      })
      .where(eq(calls.id, callId));
    const events = await tx
      .select({ id: callEvents.id, at: callEvents.at })
      .from(callEvents)
      .where(eq(callEvents.callId, callId));
    for (const event of events)
      await tx
        .update(callEvents)
        .set({ at: moved(event.at) })
        .where(eq(callEvents.id, event.id));
  });
}
