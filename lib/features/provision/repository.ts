import { isDeepStrictEqual } from 'node:util';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { apiKeys } from '#db/schema/keys.ts';
import { agentKnowledgeBases, knowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { customTags, members, workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

/** What came of one row, and which of its columns were written. */
export type Change = { kind: 'created' | 'updated' | 'unchanged'; fields: string[] };

/**
 * Makes one row what the file says: inserted when missing, otherwise only the differing columns are written,
 * so that applying the same file again changes nothing, `updatedAt` included.
 */
async function upsertRow(
  tx: Database,
  table: PgTable,
  existing: Record<string, unknown> | undefined,
  where: SQL | undefined,
  row: {
    create: Record<string, unknown>;
    wanted: Record<string, unknown>;
    touched?: Record<string, unknown>;
  },
): Promise<Change> {
  if (!existing) {
    await tx.insert(table).values({ ...row.create, ...row.wanted } as never);
    return { kind: 'created', fields: [] };
  }
  const differing = Object.entries(row.wanted).filter(
    ([key, value]) => value !== undefined && !same(existing[key], value),
  );
  if (differing.length === 0) return { kind: 'unchanged', fields: [] };
  await tx
    .update(table)
    .set({ ...Object.fromEntries(differing), ...row.touched } as never)
    .where(where);
  return { kind: 'updated', fields: differing.map(([field]) => field) };
}

function same(stored: unknown, wanted: unknown): boolean {
  // The database gives the fields of JSON in an order of its own.
  return isDeepStrictEqual(stored, wanted) || JSON.stringify(stored) === JSON.stringify(wanted);
}

export async function isEmptyDatabase(db: Database): Promise<boolean> {
  return (await db.select({ id: workspaces.id }).from(workspaces).limit(1)).length === 0;
}

/** The workspace with this id, or without one the oldest of this name. */
export async function findWorkspace(tx: Database, wanted: { id: string | undefined; name: string }) {
  const match = wanted.id === undefined ? eq(workspaces.name, wanted.name) : eq(workspaces.id, wanted.id);
  const [row] = await tx.select().from(workspaces).where(match).orderBy(workspaces.createdAt).limit(1);
  return row;
}

type WorkspaceRow = typeof workspaces.$inferInsert;

export function upsertWorkspace(
  tx: Database,
  existing: Record<string, unknown> | undefined,
  create: WorkspaceRow,
  wanted: Partial<WorkspaceRow>,
): Promise<Change> {
  return upsertRow(tx, workspaces, existing, eq(workspaces.id, create.id), {
    create,
    wanted,
    touched: { updatedAt: create.updatedAt },
  });
}

export async function findMember(
  tx: Database,
  workspaceId: WorkspaceId,
  userId: string,
): Promise<{ role: WorkspaceRole } | undefined> {
  const [row] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.workspaceId, workspaceId), eq(members.userId, userId)));
  return row;
}

export async function upsertMember(
  tx: Database,
  workspaceId: WorkspaceId,
  member: { userId: string; role: WorkspaceRole; now: Date },
): Promise<Change> {
  const where = and(eq(members.workspaceId, workspaceId), eq(members.userId, member.userId));
  return upsertRow(tx, members, await findMember(tx, workspaceId, member.userId), where, {
    create: { workspaceId, userId: member.userId, createdAt: member.now },
    wanted: { role: member.role },
  });
}

type WorkspaceRole = typeof members.$inferSelect.role;

/** Adds the key unless it is known; a revoked one stays revoked unless `reset`. Throws when another workspace has it. */
export async function upsertKey(
  tx: Database,
  workspaceId: WorkspaceId,
  key: { id: string; name: string; hash: string; lastFour: string; reset: boolean; now: Date },
): Promise<{ id: string; change: Change }> {
  const [existing] = await tx.select().from(apiKeys).where(eq(apiKeys.hash, key.hash));
  if (existing && existing.workspaceId !== workspaceId)
    throw new Error(`the key "${key.name}" belongs to another workspace already`);
  const create = {
    id: key.id,
    workspaceId,
    hash: key.hash,
    lastFour: key.lastFour,
    createdBy: 'provision file',
    createdAt: key.now,
  };
  const wanted = { name: key.name, ...(key.reset ? { revokedAt: null } : {}) };
  const change = await upsertRow(tx, apiKeys, existing, eq(apiKeys.hash, key.hash), { create, wanted });
  return { id: existing?.id ?? key.id, change };
}

export async function findTag(tx: Database, workspaceId: WorkspaceId, name: string) {
  const [row] = await tx
    .select()
    .from(customTags)
    .where(and(eq(customTags.workspaceId, workspaceId), eq(customTags.name, name)));
  return row;
}

export async function upsertTag(
  tx: Database,
  workspaceId: WorkspaceId,
  tag: { name: string; description: string; now: Date },
): Promise<Change> {
  const where = and(eq(customTags.workspaceId, workspaceId), eq(customTags.name, tag.name));
  return upsertRow(tx, customTags, await findTag(tx, workspaceId, tag.name), where, {
    create: { workspaceId, name: tag.name, createdAt: tag.now },
    wanted: { description: tag.description },
  });
}

/** By id, or without one by name; a row of another workspace under the id is an error. */
export async function findAgent(
  tx: Database,
  workspaceId: WorkspaceId,
  wanted: { id: string | undefined; name: string },
) {
  const match =
    wanted.id === undefined
      ? and(eq(agents.workspaceId, workspaceId), eq(agents.name, wanted.name))
      : eq(agents.id, wanted.id);
  // Where two have the name, the one that is not deleted: nulls come first.
  const [row] = await tx
    .select()
    .from(agents)
    .where(match)
    .orderBy(desc(agents.deletedAt), agents.createdAt)
    .limit(1);
  return inWorkspace(row, workspaceId, `agent ${wanted.id ?? wanted.name}`);
}

export function upsertAgent(
  tx: Database,
  existing: typeof agents.$inferSelect | undefined,
  create: typeof agents.$inferInsert,
  wanted: Partial<typeof agents.$inferInsert>,
): Promise<Change> {
  return upsertRow(tx, agents, existing, eq(agents.id, create.id), {
    create,
    wanted,
    touched: { updatedAt: create.updatedAt },
  });
}

export async function findPrompt(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  wanted: { id: string | undefined; title: string },
) {
  const match =
    wanted.id === undefined
      ? and(eq(outboundPrompts.agentId, agentId), eq(outboundPrompts.title, wanted.title))
      : eq(outboundPrompts.id, wanted.id);
  const [row] = await tx
    .select()
    .from(outboundPrompts)
    .where(match)
    .orderBy(outboundPrompts.createdAt)
    .limit(1);
  return inWorkspace(row, workspaceId, `outbound prompt ${wanted.id ?? wanted.title}`);
}

export function upsertPrompt(
  tx: Database,
  existing: typeof outboundPrompts.$inferSelect | undefined,
  create: typeof outboundPrompts.$inferInsert,
  wanted: Partial<typeof outboundPrompts.$inferInsert>,
): Promise<Change> {
  return upsertRow(tx, outboundPrompts, existing, eq(outboundPrompts.id, create.id), {
    create,
    wanted,
    touched: { updatedAt: create.updatedAt },
  });
}

export async function findNumber(tx: Database, workspaceId: WorkspaceId, number: string) {
  const [row] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.number, number));
  return inWorkspace(row, workspaceId, `phone number ${number}`);
}

export function upsertNumber(
  tx: Database,
  existing: typeof phoneNumbers.$inferSelect | undefined,
  number: typeof phoneNumbers.$inferInsert,
  wanted: Partial<typeof phoneNumbers.$inferInsert>,
): Promise<Change> {
  return upsertRow(tx, phoneNumbers, existing, eq(phoneNumbers.number, number.number), {
    create: number,
    wanted,
    touched: { updatedAt: number.updatedAt },
  });
}

/** By id, or without one by name; a row of another workspace under the id is an error. */
export async function findKnowledgeBase(
  tx: Database,
  workspaceId: WorkspaceId,
  wanted: { id: string | undefined; name: string },
) {
  const match =
    wanted.id === undefined
      ? and(eq(knowledgeBases.workspaceId, workspaceId), eq(knowledgeBases.name, wanted.name))
      : eq(knowledgeBases.id, wanted.id);
  const [row] = await tx
    .select()
    .from(knowledgeBases)
    .where(match)
    .orderBy(knowledgeBases.createdAt)
    .limit(1);
  return inWorkspace(row, workspaceId, `knowledge base ${wanted.id ?? wanted.name}`);
}

export function upsertKnowledgeBase(
  tx: Database,
  existing: typeof knowledgeBases.$inferSelect | undefined,
  base: typeof knowledgeBases.$inferInsert,
): Promise<Change> {
  return upsertRow(tx, knowledgeBases, existing, eq(knowledgeBases.id, base.id), {
    create: base,
    wanted: { name: base.name, description: base.description },
    touched: { updatedAt: base.updatedAt },
  });
}

/** False where it was attached already. */
export async function attachKnowledgeBase(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  knowledgeBaseId: string,
): Promise<boolean> {
  const made = await tx
    .insert(agentKnowledgeBases)
    .values({ workspaceId, agentId, knowledgeBaseId })
    .onConflictDoNothing()
    .returning({ agentId: agentKnowledgeBases.agentId });
  return made.length > 0;
}

/** The agents of a workspace by id; a deleted one is known, so that a file may go on naming it. */
export async function agentsOf(
  tx: Database,
  workspaceId: WorkspaceId,
): Promise<Map<string, { isDeleted: boolean }>> {
  const rows = await tx
    .select({ id: agents.id, deletedAt: agents.deletedAt })
    .from(agents)
    .where(eq(agents.workspaceId, workspaceId));
  return new Map(rows.map((row) => [row.id, { isDeleted: row.deletedAt !== null }]));
}

/** Processes that start together apply the file one after the other. */
export async function lockProvisioning(tx: Database): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(727275)`);
}

function inWorkspace<Row extends { workspaceId: string }>(
  row: Row | undefined,
  workspaceId: WorkspaceId,
  what: string,
): Row | undefined {
  if (row && row.workspaceId !== workspaceId) throw new Error(`${what} belongs to another workspace already`);
  return row;
}
