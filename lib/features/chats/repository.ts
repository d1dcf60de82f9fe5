import { and, eq, gt, inArray, lt, not, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { chats } from '#db/schema/chats.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type ChatRow = typeof chats.$inferSelect;
export type ChatSource = ChatRow['source'];

export async function insertChat(
  db: Database,
  workspaceId: WorkspaceId,
  chat: Omit<typeof chats.$inferInsert, 'workspaceId'>,
): Promise<void> {
  await db.insert(chats).values({ ...chat, workspaceId });
}

/** Throws 404 where no chat has the id, 403 where another workspace's has. */
export async function findChat(db: Database, workspaceId: WorkspaceId, chatId: string): Promise<ChatRow> {
  const [row] = await db.select().from(chats).where(eq(chats.id, chatId));
  return ownedOrThrow(row, workspaceId, 'Chat');
}

/** The same, locked until the transaction ends: what changes a chat takes turns here. */
export async function lockChat(tx: Database, workspaceId: WorkspaceId, chatId: string): Promise<ChatRow> {
  const [row] = await tx.select().from(chats).where(eq(chats.id, chatId)).for('update');
  return ownedOrThrow(row, workspaceId, 'Chat');
}

export async function updateChat(
  db: Database,
  workspaceId: WorkspaceId,
  chatId: string,
  change: Partial<typeof chats.$inferInsert>,
): Promise<void> {
  await db
    .update(chats)
    .set(change)
    .where(and(eq(chats.id, chatId), eq(chats.workspaceId, workspaceId)));
}

/** Says that an answer is still being made; false where the chat has ended or somebody else answers. */
export async function keepAnswering(
  db: Database,
  workspaceId: WorkspaceId,
  { chatId, answeringId, until }: { chatId: string; answeringId: string; until: Date },
): Promise<boolean> {
  const rows = await db
    .update(chats)
    .set({ answeringUntil: until })
    .where(
      and(
        eq(chats.id, chatId),
        eq(chats.workspaceId, workspaceId),
        eq(chats.answeringId, answeringId),
        eq(chats.isOpen, true),
      ),
    )
    .returning({ id: chats.id });
  return rows.length > 0;
}

/**
 * How many chats of an agent somebody wrote in since `activeSince`, and how many are being answered. Visitors of a
 * website and everybody else are counted apart: strangers take no room from the API and the dashboard.
 */
export async function countOpenChats(
  db: Database,
  workspaceId: WorkspaceId,
  {
    agentId,
    source,
    activeSince,
    now,
  }: { agentId: string; source: ChatSource; activeSince: Date; now: Date },
): Promise<{ active: number; answering: number }> {
  const isOfVisitor = eq(chats.source, 'widget');
  const [counts] = await db
    .select({
      active: sql<number>`count(*)::int`,
      answering: sql<number>`(count(*) filter (where ${gt(chats.answeringUntil, now)}))::int`,
    })
    .from(chats)
    .where(
      and(
        eq(chats.agentId, agentId),
        eq(chats.workspaceId, workspaceId),
        eq(chats.isOpen, true),
        gt(chats.messageCount, 0),
        gt(chats.lastActivityAt, activeSince),
        source === 'widget' ? isOfVisitor : not(isOfVisitor),
      ),
    );
  return counts ?? { active: 0, answering: 0 };
}

/** What the chats of a workspace that began since then have asked of language models and got from them. */
export async function countTokens(db: Database, workspaceId: WorkspaceId, since: Date): Promise<number> {
  const [spent] = await db
    .select({ tokens: sql<number>`coalesce(sum(input_tokens::int8 + output_tokens), 0)::float8` })
    .from(chats)
    .where(and(eq(chats.workspaceId, workspaceId), gt(chats.createdAt, since)));
  return spent?.tokens ?? 0;
}

/** Open chats, of every workspace, in which nobody wrote since `idleSince` or that began before `begunBefore`. */
export async function listOverdueChats(
  db: Database,
  { idleSince, begunBefore, limit }: { idleSince: Date; begunBefore: Date; limit: number },
) {
  return db
    .select({ id: chats.id, workspaceId: chats.workspaceId, lastActivityAt: chats.lastActivityAt })
    .from(chats)
    .where(
      and(eq(chats.isOpen, true), or(lt(chats.lastActivityAt, idleSince), lt(chats.createdAt, begunBefore))),
    )
    .limit(limit);
}

/** The open chats that visitors have with an agent over its widget. */
export async function listOpenWidgetChats(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<{ id: string; origin: string | null }[]> {
  return db
    .select({ id: chats.id, origin: chats.origin })
    .from(chats)
    .where(
      and(
        eq(chats.agentId, agentId),
        eq(chats.workspaceId, workspaceId),
        eq(chats.isOpen, true),
        eq(chats.source, 'widget'),
      ),
    );
}

export async function deleteChatsOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  await tx.delete(chats).where(and(eq(chats.workspaceId, workspaceId), inArray(chats.id, [...callIds])));
}
