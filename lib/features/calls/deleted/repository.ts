import { and, asc, eq, inArray, isNull, lt, lte } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { deletedCalls } from '#db/schema/reviews.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type DeletedCall = Pick<typeof deletedCalls.$inferSelect, 'callId' | 'workspaceId' | 'deletedAt'>;

/** Notes that files of these calls are to be removed, in the transaction that deletes the calls or their recordings. */
export async function insertDeleted(
  tx: Database,
  workspaceId: WorkspaceId,
  { ids, what, at }: { ids: readonly string[]; what: 'conversation' | 'recording'; at: Date },
): Promise<void> {
  await tx
    .insert(deletedCalls)
    .values(ids.map((callId) => ({ callId, workspaceId, what, deletedAt: at, dueAt: at })))
    .onConflictDoUpdate({ target: deletedCalls.callId, set: { what, deletedAt: at, dueAt: at } });
}

/** Of every workspace: those whose files are to be removed now. */
export async function listDue(db: Database, now: Date, limit: number): Promise<DeletedCall[]> {
  return db
    .select({
      callId: deletedCalls.callId,
      workspaceId: deletedCalls.workspaceId,
      deletedAt: deletedCalls.deletedAt,
    })
    .from(deletedCalls)
    .where(lte(deletedCalls.dueAt, now))
    .orderBy(asc(deletedCalls.dueAt))
    .limit(limit);
}

/** `dueAt`: when they are to be removed once more; null: they are gone. */
export async function updateDue(db: Database, callIds: readonly string[], dueAt: Date | null): Promise<void> {
  if (callIds.length === 0) return;
  await db
    .update(deletedCalls)
    .set({ dueAt })
    .where(inArray(deletedCalls.callId, [...callIds]));
}

/** Those of these calls that were deleted. */
export async function listDeletedAmong(db: Database, callIds: readonly string[]): Promise<string[]> {
  if (callIds.length === 0) return [];
  const rows = await db
    .select({ callId: deletedCalls.callId })
    .from(deletedCalls)
    .where(and(inArray(deletedCalls.callId, [...callIds]), eq(deletedCalls.what, 'conversation')));
  return rows.map(({ callId }) => callId);
}

/** Rows that nothing waits for any more. */
export async function forgetDeleted(db: Database, before: Date): Promise<void> {
  await db.delete(deletedCalls).where(and(isNull(deletedCalls.dueAt), lt(deletedCalls.deletedAt, before)));
}
