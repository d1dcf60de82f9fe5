import { and, asc, eq, or } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { savedViews } from '#db/schema/reviews.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type ViewRow = typeof savedViews.$inferSelect;

const one = (workspaceId: WorkspaceId, viewId: string) =>
  and(eq(savedViews.workspaceId, workspaceId), eq(savedViews.id, viewId));

/** Those that a member sees: their own, and the shared ones. */
export async function listViews(db: Database, workspaceId: WorkspaceId, ownerId: string): Promise<ViewRow[]> {
  return db
    .select()
    .from(savedViews)
    .where(
      and(
        eq(savedViews.workspaceId, workspaceId),
        or(eq(savedViews.ownerId, ownerId), eq(savedViews.isShared, true)),
      ),
    )
    .orderBy(asc(savedViews.name), asc(savedViews.id));
}

/** Locked until the transaction ends. */
export async function lockView(
  tx: Database,
  workspaceId: WorkspaceId,
  viewId: string,
): Promise<ViewRow | undefined> {
  const [row] = await tx.select().from(savedViews).where(one(workspaceId, viewId)).for('update');
  return row;
}

/** undefined where the owner has a view of that name. */
export async function insertView(
  tx: Database,
  workspaceId: WorkspaceId,
  view: Omit<typeof savedViews.$inferInsert, 'workspaceId'>,
): Promise<ViewRow | undefined> {
  const [row] = await tx
    .insert(savedViews)
    .values({ ...view, workspaceId })
    .onConflictDoNothing()
    .returning();
  return row;
}

/** Whether the owner has another view of that name. */
export async function isNameTaken(
  tx: Database,
  workspaceId: WorkspaceId,
  { ownerId, name, id }: Pick<ViewRow, 'ownerId' | 'name' | 'id'>,
): Promise<boolean> {
  const [row] = await tx
    .select({ id: savedViews.id })
    .from(savedViews)
    .where(
      and(
        eq(savedViews.workspaceId, workspaceId),
        eq(savedViews.ownerId, ownerId),
        eq(savedViews.name, name),
      ),
    );
  return row !== undefined && row.id !== id;
}

export async function updateView(
  tx: Database,
  workspaceId: WorkspaceId,
  { id, ...change }: Pick<ViewRow, 'id' | 'name' | 'isShared' | 'query' | 'updatedAt'>,
): Promise<void> {
  await tx.update(savedViews).set(change).where(one(workspaceId, id));
}

export async function deleteView(tx: Database, workspaceId: WorkspaceId, viewId: string): Promise<void> {
  await tx.delete(savedViews).where(one(workspaceId, viewId));
}
