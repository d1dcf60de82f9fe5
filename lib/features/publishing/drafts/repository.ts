import { and, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agentDrafts } from '#db/schema/versions.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type DraftRow = typeof agentDrafts.$inferSelect;

export async function findDraft(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<DraftRow | undefined> {
  const [row] = await db
    .select()
    .from(agentDrafts)
    .where(and(eq(agentDrafts.agentId, agentId), eq(agentDrafts.workspaceId, workspaceId)));
  return row;
}

/** Under the lock of its agent. */
export async function upsertDraft(
  tx: Database,
  workspaceId: WorkspaceId,
  draft: Omit<DraftRow, 'workspaceId'>,
): Promise<void> {
  const { agentId: _, createdAt: _made, ...change } = draft;
  await tx
    .insert(agentDrafts)
    .values({ ...draft, workspaceId })
    .onConflictDoUpdate({ target: agentDrafts.agentId, set: change });
}

export async function deleteDraft(tx: Database, workspaceId: WorkspaceId, agentId: string): Promise<void> {
  await tx
    .delete(agentDrafts)
    .where(and(eq(agentDrafts.agentId, agentId), eq(agentDrafts.workspaceId, workspaceId)));
}
