import { and, asc, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { outboundPrompts } from '#db/schema/agents.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type PromptRow = typeof outboundPrompts.$inferSelect;
type NewPromptRow = typeof outboundPrompts.$inferInsert;

const NOUN = 'Outbound prompt';

/** In order of creation: the first one is the agent's default. */
export async function listPrompts(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<PromptRow[]> {
  return db
    .select()
    .from(outboundPrompts)
    .where(and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.agentId, agentId)))
    .orderBy(asc(outboundPrompts.createdAt), asc(outboundPrompts.id));
}

/** Throws 404 for an unknown id or another agent's prompt, 403 for another workspace's. */
export async function findPrompt(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, promptId }: { agentId: string; promptId: string },
): Promise<PromptRow> {
  const [row] = await db.select().from(outboundPrompts).where(eq(outboundPrompts.id, promptId));
  return ofAgent(ownedOrThrow(row, workspaceId, NOUN), agentId);
}

/** The same, locked until the transaction ends. */
export async function lockPrompt(
  tx: Database,
  workspaceId: WorkspaceId,
  { agentId, promptId }: { agentId: string; promptId: string },
): Promise<PromptRow> {
  const [row] = await tx.select().from(outboundPrompts).where(eq(outboundPrompts.id, promptId)).for('update');
  return ofAgent(ownedOrThrow(row, workspaceId, NOUN), agentId);
}

export async function insertPrompt(
  db: Database,
  workspaceId: WorkspaceId,
  prompt: Omit<NewPromptRow, 'workspaceId'>,
): Promise<PromptRow> {
  const [row] = await db
    .insert(outboundPrompts)
    .values({ ...prompt, workspaceId })
    .returning();
  return ownedOrThrow(row, workspaceId, NOUN);
}

export async function updatePrompt(
  db: Database,
  workspaceId: WorkspaceId,
  promptId: string,
  change: Partial<NewPromptRow>,
): Promise<PromptRow> {
  const [row] = await db
    .update(outboundPrompts)
    .set(change)
    .where(and(eq(outboundPrompts.id, promptId), eq(outboundPrompts.workspaceId, workspaceId)))
    .returning();
  return ownedOrThrow(row, workspaceId, NOUN);
}

export async function deletePrompt(db: Database, workspaceId: WorkspaceId, promptId: string): Promise<void> {
  await db
    .delete(outboundPrompts)
    .where(and(eq(outboundPrompts.id, promptId), eq(outboundPrompts.workspaceId, workspaceId)));
}

function ofAgent(row: PromptRow, agentId: string): PromptRow {
  if (row.agentId !== agentId) throw notFound(NOUN);
  return row;
}
