import { and, asc, count, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { customTags } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export async function listCustomTags(db: Database, workspaceId: WorkspaceId) {
  return db
    .select({ name: customTags.name, description: customTags.description, createdAt: customTags.createdAt })
    .from(customTags)
    .where(eq(customTags.workspaceId, workspaceId))
    .orderBy(asc(customTags.name));
}

export async function countCustomTags(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(customTags)
    .where(eq(customTags.workspaceId, workspaceId));
  return row?.count ?? 0;
}

/** The new row, or undefined where the workspace already has a tag of this name. */
export async function insertCustomTag(
  db: Database,
  workspaceId: WorkspaceId,
  tag: { name: string; description: string; now: Date },
) {
  const [row] = await db
    .insert(customTags)
    .values({ workspaceId, name: tag.name, description: tag.description, createdAt: tag.now })
    .onConflictDoNothing()
    .returning();
  return row;
}

const named = (workspaceId: WorkspaceId, name: string) =>
  and(eq(customTags.workspaceId, workspaceId), eq(customTags.name, name));

export async function updateCustomTag(
  db: Database,
  workspaceId: WorkspaceId,
  name: string,
  description: string,
) {
  const [row] = await db.update(customTags).set({ description }).where(named(workspaceId, name)).returning();
  return row;
}

export async function deleteCustomTag(
  db: Database,
  workspaceId: WorkspaceId,
  name: string,
): Promise<boolean> {
  const gone = await db
    .delete(customTags)
    .where(named(workspaceId, name))
    .returning({ name: customTags.name });
  return gone.length > 0;
}
