import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callShares } from '#db/schema/reviews.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type ShareRow = typeof callShares.$inferSelect;

export async function listShares(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<ShareRow[]> {
  return db
    .select()
    .from(callShares)
    .where(and(eq(callShares.workspaceId, workspaceId), eq(callShares.callId, callId)))
    .orderBy(desc(callShares.createdAt), desc(callShares.id));
}

export async function insertShare(
  tx: Database,
  workspaceId: WorkspaceId,
  share: Omit<typeof callShares.$inferInsert, 'workspaceId'>,
): Promise<ShareRow | undefined> {
  const [row] = await tx
    .insert(callShares)
    .values({ ...share, workspaceId })
    .returning();
  return row;
}

/** A share of a call of the workspace, locked until the transaction ends. */
export async function lockShare(
  tx: Database,
  workspaceId: WorkspaceId,
  { callId, shareId }: { callId: string; shareId: string },
): Promise<ShareRow | undefined> {
  const [row] = await tx
    .select()
    .from(callShares)
    .where(
      and(eq(callShares.workspaceId, workspaceId), eq(callShares.callId, callId), eq(callShares.id, shareId)),
    )
    .for('update');
  return row;
}

export async function updateRevoked(
  tx: Database,
  workspaceId: WorkspaceId,
  shareId: string,
  revokedAt: Date,
): Promise<void> {
  await tx
    .update(callShares)
    .set({ revokedAt })
    .where(and(eq(callShares.workspaceId, workspaceId), eq(callShares.id, shareId)));
}
