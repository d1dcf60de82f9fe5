import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agentSplits } from '#db/schema/versions.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type SplitRow = typeof agentSplits.$inferSelect;

/** So many of an agent are listed. */
const LISTED = 50;

/** Throws 404 for an unknown id, 403 for another workspace's. */
export async function findSplit(db: Database, workspaceId: WorkspaceId, splitId: string): Promise<SplitRow> {
  const [row] = await db.select().from(agentSplits).where(eq(agentSplits.id, splitId));
  return ownedOrThrow(row, workspaceId, 'Split');
}

/** The one by which a second version of the agent gets conversations now. */
export async function findRunningSplit(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<SplitRow | undefined> {
  const [row] = await db
    .select()
    .from(agentSplits)
    .where(
      and(
        eq(agentSplits.workspaceId, workspaceId),
        eq(agentSplits.agentId, agentId),
        isNull(agentSplits.endedAt),
      ),
    );
  return row;
}

/** The latest first. */
export async function listSplits(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<SplitRow[]> {
  return db
    .select()
    .from(agentSplits)
    .where(and(eq(agentSplits.workspaceId, workspaceId), eq(agentSplits.agentId, agentId)))
    .orderBy(desc(agentSplits.startedAt), desc(agentSplits.id))
    .limit(LISTED);
}

/** Under the lock of its agent, like every change of one. */
export async function insertSplit(
  tx: Database,
  workspaceId: WorkspaceId,
  split: Omit<SplitRow, 'workspaceId'>,
): Promise<void> {
  await tx.insert(agentSplits).values({ ...split, workspaceId });
}

export async function updateSplit(
  tx: Database,
  workspaceId: WorkspaceId,
  splitId: string,
  change: Pick<SplitRow, 'percent' | 'steps' | 'endedAt'>,
): Promise<void> {
  await tx
    .update(agentSplits)
    .set(change)
    .where(and(eq(agentSplits.id, splitId), eq(agentSplits.workspaceId, workspaceId)));
}
