import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, notDeleted } from '#db/schema/agents.ts';
import { agentKnowledgeBases, documents, knowledgeBases } from '#db/schema/knowledge.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { assertOwned, ownedOrThrow } from '#lib/features/ownership.ts';

export type KnowledgeBaseRow = typeof knowledgeBases.$inferSelect;
export type BaseListing = {
  page: number;
  pageSize: number;
  sortBy: 'createdAt' | 'updatedAt' | 'name' | 'description';
  sortOrder: 'asc' | 'desc';
};

export async function findBase(
  db: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<KnowledgeBaseRow> {
  const [row] = await db.select().from(knowledgeBases).where(eq(knowledgeBases.id, id));
  return ownedOrThrow(row, workspaceId, 'Knowledge base');
}

export async function countBases(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(knowledgeBases)
    .where(eq(knowledgeBases.workspaceId, workspaceId));
  return row?.count ?? 0;
}

/** One page, with the counts of documents and agents. The id breaks ties, so no base is on two pages. */
export async function listBasePage(db: Database, workspaceId: WorkspaceId, listing: BaseListing) {
  const direction = listing.sortOrder === 'asc' ? asc : desc;
  const base = sql`"knowledge_bases"."id"`;
  return db
    .select({
      base: knowledgeBases,
      documents: sql<number>`(select count(*)::int from ${documents} where ${documents.knowledgeBaseId} = ${base})`,
      agents: sql<number>`(select count(*)::int from ${agentKnowledgeBases} where ${agentKnowledgeBases.knowledgeBaseId} = ${base})`,
    })
    .from(knowledgeBases)
    .where(eq(knowledgeBases.workspaceId, workspaceId))
    .orderBy(direction(knowledgeBases[listing.sortBy]), direction(knowledgeBases.id))
    .limit(listing.pageSize)
    .offset((listing.page - 1) * listing.pageSize);
}

export async function listBases(db: Database, workspaceId: WorkspaceId): Promise<KnowledgeBaseRow[]> {
  return db
    .select()
    .from(knowledgeBases)
    .where(eq(knowledgeBases.workspaceId, workspaceId))
    .orderBy(desc(knowledgeBases.createdAt), desc(knowledgeBases.id));
}

export async function insertBase(
  db: Database,
  workspaceId: WorkspaceId,
  row: Omit<typeof knowledgeBases.$inferInsert, 'workspaceId'>,
): Promise<KnowledgeBaseRow> {
  const [created] = await db
    .insert(knowledgeBases)
    .values({ ...row, workspaceId })
    .returning();
  if (!created) throw new Error('the knowledge base was not stored');
  return created;
}

export async function updateBase(
  db: Database,
  workspaceId: WorkspaceId,
  change: { id: string; name?: string | undefined; description?: string | undefined; now: Date },
): Promise<void> {
  await db
    .update(knowledgeBases)
    .set({
      ...(change.name === undefined ? {} : { name: change.name }),
      ...(change.description === undefined ? {} : { description: change.description }),
      updatedAt: change.now,
    })
    .where(and(eq(knowledgeBases.id, change.id), eq(knowledgeBases.workspaceId, workspaceId)));
}

export async function deleteBaseRow(db: Database, workspaceId: WorkspaceId, id: string): Promise<void> {
  await db
    .delete(knowledgeBases)
    .where(and(eq(knowledgeBases.id, id), eq(knowledgeBases.workspaceId, workspaceId)));
}

export async function listBasesOfAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<KnowledgeBaseRow[]> {
  const rows = await db
    .select({ base: knowledgeBases })
    .from(agentKnowledgeBases)
    .innerJoin(knowledgeBases, eq(knowledgeBases.id, agentKnowledgeBases.knowledgeBaseId))
    .where(
      and(
        eq(agentKnowledgeBases.agentId, agentId),
        eq(agentKnowledgeBases.workspaceId, workspaceId),
        eq(knowledgeBases.workspaceId, workspaceId),
      ),
    )
    .orderBy(asc(knowledgeBases.createdAt), asc(knowledgeBases.id));
  return rows.map((row) => row.base);
}

/** Every agent of the workspace, and whether it answers from this base. */
export async function listAgentsOfBase(db: Database, workspaceId: WorkspaceId, baseId: string) {
  return db
    .select({
      id: agents.id,
      name: agents.name,
      isAttached: sql<boolean>`${agentKnowledgeBases.agentId} is not null`,
    })
    .from(agents)
    .leftJoin(
      agentKnowledgeBases,
      and(eq(agentKnowledgeBases.agentId, agents.id), eq(agentKnowledgeBases.knowledgeBaseId, baseId)),
    )
    .where(and(eq(agents.workspaceId, workspaceId), notDeleted))
    .orderBy(asc(agents.name), asc(agents.id));
}

/** Throws as `findBase`; locked until the transaction ends, for whoever changes it or its agents. */
export async function lockBase(
  tx: Database,
  workspaceId: WorkspaceId,
  id: string,
): Promise<KnowledgeBaseRow> {
  const [row] = await tx.select().from(knowledgeBases).where(eq(knowledgeBases.id, id)).for('no key update');
  return ownedOrThrow(row, workspaceId, 'Knowledge base');
}

/** Locks the bases so that none is deleted before they are attached. 404 for an unknown id, 403 for another workspace's. */
export async function lockBases(db: Database, workspaceId: WorkspaceId, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db
    .select({ id: knowledgeBases.id, workspaceId: knowledgeBases.workspaceId })
    .from(knowledgeBases)
    .where(inArray(knowledgeBases.id, ids))
    .orderBy(knowledgeBases.id)
    .for('key share');
  assertOwned(rows, ids, { workspaceId, noun: 'Knowledge base' });
}

export async function replaceBasesOfAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  baseIds: string[],
): Promise<void> {
  await db
    .delete(agentKnowledgeBases)
    .where(and(eq(agentKnowledgeBases.agentId, agentId), eq(agentKnowledgeBases.workspaceId, workspaceId)));
  if (baseIds.length === 0) return;
  await db
    .insert(agentKnowledgeBases)
    .values(baseIds.map((knowledgeBaseId) => ({ agentId, knowledgeBaseId, workspaceId })))
    .onConflictDoNothing();
}

export async function replaceAgentsOfBase(
  db: Database,
  workspaceId: WorkspaceId,
  baseId: string,
  agentIds: string[],
): Promise<void> {
  await db
    .delete(agentKnowledgeBases)
    .where(
      and(eq(agentKnowledgeBases.knowledgeBaseId, baseId), eq(agentKnowledgeBases.workspaceId, workspaceId)),
    );
  if (agentIds.length === 0) return;
  await db
    .insert(agentKnowledgeBases)
    .values(agentIds.map((agentId) => ({ agentId, knowledgeBaseId: baseId, workspaceId })))
    .onConflictDoNothing();
}
