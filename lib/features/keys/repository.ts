import { and, desc, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { apiKeys } from '#db/schema/keys.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type KeyRow = typeof apiKeys.$inferSelect;

export async function listKeys(db: Database, workspaceId: WorkspaceId): Promise<KeyRow[]> {
  return db
    .select()
    .from(apiKeys)
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.id));
}

export async function insertKey(
  db: Database,
  workspaceId: WorkspaceId,
  key: { id: string; name: string; hash: string; lastFour: string; createdBy: string; createdAt: Date },
): Promise<KeyRow> {
  const [row] = await db
    .insert(apiKeys)
    .values({ ...key, workspaceId })
    .returning();
  if (!row) throw new Error('the insert of an API key answered no row');
  return row;
}

export async function findKey(db: Database, workspaceId: WorkspaceId, keyId: string): Promise<KeyRow> {
  const [row] = await db.select().from(apiKeys).where(eq(apiKeys.id, keyId));
  return ownedOrThrow(row, workspaceId, 'API key');
}

export async function markRevoked(
  db: Database,
  workspaceId: WorkspaceId,
  keyId: string,
  now: Date,
): Promise<KeyRow | undefined> {
  const [row] = await db
    .update(apiKeys)
    .set({ revokedAt: now })
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.workspaceId, workspaceId)))
    .returning();
  return row;
}
