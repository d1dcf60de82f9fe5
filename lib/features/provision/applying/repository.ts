import { and, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { provisionedItems } from '#db/schema/provision.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

type ItemRow = typeof provisionedItems.$inferSelect;

export async function listItems(tx: Database, workspaceId: WorkspaceId): Promise<ItemRow[]> {
  return tx.select().from(provisionedItems).where(eq(provisionedItems.workspaceId, workspaceId));
}

export async function saveItem(
  tx: Database,
  workspaceId: WorkspaceId,
  item: Omit<ItemRow, 'workspaceId'>,
): Promise<void> {
  await tx
    .insert(provisionedItems)
    .values({ ...item, workspaceId })
    .onConflictDoUpdate({
      target: [provisionedItems.workspaceId, provisionedItems.kind, provisionedItems.name],
      set: { targetId: item.targetId },
    });
}

/** The workspace that a file made under this name; it may have been renamed since. */
export async function findProvisionedWorkspaceId(tx: Database, name: string): Promise<string | undefined> {
  const [row] = await tx
    .select({ id: provisionedItems.workspaceId })
    .from(provisionedItems)
    .where(and(eq(provisionedItems.kind, 'workspace'), eq(provisionedItems.name, name)))
    .orderBy(provisionedItems.createdAt)
    .limit(1);
  return row?.id;
}
