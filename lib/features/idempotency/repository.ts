import { and, eq, lt } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { idempotencyKeys } from '#db/schema/idempotency-keys.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export async function findAnsweredRequest(
  db: Database,
  workspaceId: WorkspaceId,
  key: string,
  notBefore: Date,
) {
  const [row] = await db
    .select()
    .from(idempotencyKeys)
    .where(and(eq(idempotencyKeys.workspaceId, workspaceId), eq(idempotencyKeys.key, key)));
  return row && row.createdAt >= notBefore ? row : undefined;
}

/**
 * Remembers the answer to a key, in the transaction that does what was asked; false where the key has one that is not
 * older than `notBefore`. A parallel request with the key waits here until the first one committed or gave up.
 */
export async function rememberAnswer(
  tx: Database,
  workspaceId: WorkspaceId,
  answer: Omit<typeof idempotencyKeys.$inferInsert, 'workspaceId'>,
  notBefore: Date,
): Promise<boolean> {
  const rows = await tx
    .insert(idempotencyKeys)
    .values({ ...answer, workspaceId })
    .onConflictDoUpdate({
      target: [idempotencyKeys.workspaceId, idempotencyKeys.key],
      set: answer,
      setWhere: lt(idempotencyKeys.createdAt, notBefore),
    })
    .returning({ id: idempotencyKeys.id });
  return rows.length > 0;
}

/** Forgets keys of every workspace that are too old to be answered again. */
export async function forgetAnswersBefore(db: Database, before: Date): Promise<void> {
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.createdAt, before));
}
