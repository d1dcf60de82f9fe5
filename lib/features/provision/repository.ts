import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Database } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import { apiKeys } from '#db/schema/keys.ts';
import { agentKnowledgeBases, knowledgeBases } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { customTags, members, workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type Change = 'created' | 'updated' | 'unchanged';

/**
 * Brings one row to what the file says: inserted when missing, otherwise only the differing columns are written,
 * so that applying the same file again changes nothing, `updatedAt` included.
 */
async function bringTo(
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
    return 'created';
  }
  const differing = Object.entries(row.wanted).filter(
    ([key, value]) => value !== undefined && !same(existing[key], value),
  );
  if (differing.length === 0) return 'unchanged';
  await tx
    .update(table)
    .set({ ...Object.fromEntries(differing), ...row.touched } as never)
    .where(where);
  return 'updated';
}

function same(stored: unknown, wanted: unknown): boolean {
  return JSON.stringify(stored) === JSON.stringify(wanted);
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

export function bringWorkspace(
  tx: Database,
  existing: Record<string, unknown> | undefined,
  create: WorkspaceRow,
  wanted: Partial<WorkspaceRow>,
): Promise<Change> {
  return bringTo(tx, workspaces, existing, eq(workspaces.id, create.id), {
    create,
    wanted,
    touched: { updatedAt: create.updatedAt },
  });
}

export async function bringMember(
  tx: Database,
  workspaceId: WorkspaceId,
  member: { userId: string; role: WorkspaceRole; now: Date },
): Promise<Change> {
  const where = and(eq(members.workspaceId, workspaceId), eq(members.userId, member.userId));
  const [existing] = await tx.select().from(members).where(where);
  return bringTo(tx, members, existing, where, {
    create: { workspaceId, userId: member.userId, createdAt: member.now },
    wanted: { role: member.role },
  });
}

type WorkspaceRole = typeof members.$inferSelect.role;

/** Adds the key unless it is known; a revoked one stays revoked. Throws when another workspace has it. */
export async function bringKey(
  tx: Database,
  workspaceId: WorkspaceId,
  key: { id: string; name: string; hash: string; lastFour: string; now: Date },
): Promise<Change> {
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
  return bringTo(tx, apiKeys, existing, eq(apiKeys.hash, key.hash), { create, wanted: { name: key.name } });
}

export async function bringTag(
  tx: Database,
  workspaceId: WorkspaceId,
  tag: { name: string; description: string; now: Date },
): Promise<Change> {
  const where = and(eq(customTags.workspaceId, workspaceId), eq(customTags.name, tag.name));
  const [existing] = await tx.select().from(customTags).where(where);
  return bringTo(tx, customTags, existing, where, {
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

export function bringAgent(
  tx: Database,
  existing: typeof agents.$inferSelect | undefined,
  create: typeof agents.$inferInsert,
  wanted: Partial<typeof agents.$inferInsert>,
): Promise<Change> {
  return bringTo(tx, agents, existing, eq(agents.id, create.id), {
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

export function bringPrompt(
  tx: Database,
  existing: typeof outboundPrompts.$inferSelect | undefined,
  create: typeof outboundPrompts.$inferInsert,
  wanted: Partial<typeof outboundPrompts.$inferInsert>,
): Promise<Change> {
  return bringTo(tx, outboundPrompts, existing, eq(outboundPrompts.id, create.id), {
    create,
    wanted,
    touched: { updatedAt: create.updatedAt },
  });
}

export async function bringNumber(
  tx: Database,
  workspaceId: WorkspaceId,
  number: typeof phoneNumbers.$inferInsert,
  wanted: Partial<typeof phoneNumbers.$inferInsert>,
): Promise<Change> {
  const [row] = await tx.select().from(phoneNumbers).where(eq(phoneNumbers.number, number.number));
  const existing = inWorkspace(row, workspaceId, `phone number ${number.number}`);
  return bringTo(tx, phoneNumbers, existing, eq(phoneNumbers.number, number.number), {
    create: number,
    wanted,
    touched: { updatedAt: number.updatedAt },
  });
}

export async function bringKnowledgeBase(
  tx: Database,
  workspaceId: WorkspaceId,
  base: typeof knowledgeBases.$inferInsert,
  wanted: { id: string | undefined; name: string; description: string },
): Promise<{ id: string; change: Change }> {
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
  const existing = inWorkspace(row, workspaceId, `knowledge base ${wanted.id ?? wanted.name}`);
  const id = existing?.id ?? base.id;
  const change = await bringTo(tx, knowledgeBases, existing, eq(knowledgeBases.id, id), {
    create: base,
    wanted: { name: wanted.name, description: wanted.description },
    touched: { updatedAt: base.updatedAt },
  });
  return { id, change };
}

export async function attachKnowledgeBase(
  tx: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  knowledgeBaseId: string,
): Promise<void> {
  await tx
    .insert(agentKnowledgeBases)
    .values({ workspaceId, agentId, knowledgeBaseId })
    .onConflictDoNothing();
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

export async function countCalls(db: Database, workspaceId: WorkspaceId): Promise<number> {
  return db.$count(calls, eq(calls.workspaceId, workspaceId));
}

export async function isCallEnded(db: Database, workspaceId: WorkspaceId, callId: string): Promise<boolean> {
  const [row] = await db
    .select({ status: calls.status })
    .from(calls)
    .where(and(eq(calls.workspaceId, workspaceId), eq(calls.id, callId)));
  return row?.status === 'ended';
}

/**
 * Moves an ended call and its events back to `startedAt`; what happened between them took `stretch` times as long.
 */
export async function moveCallTo(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  to: { startedAt: Date; stretch: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [call] = await tx
      .select()
      .from(calls)
      .where(and(eq(calls.workspaceId, workspaceId), eq(calls.id, callId)));
    if (!call) return;
    const from = call.dateInitiated;
    const moved = (at: Date) =>
      new Date(to.startedAt.getTime() + (at.getTime() - from.getTime()) * to.stretch);
    await tx
      .update(calls)
      .set({
        dateInitiated: to.startedAt,
        createdAt: moved(call.createdAt),
        updatedAt: moved(call.updatedAt),
        answeredAt: call.answeredAt && moved(call.answeredAt),
        endedAt: call.endedAt && moved(call.endedAt),
      })
      .where(eq(calls.id, callId));
    const events = await tx
      .select({ id: callEvents.id, at: callEvents.at })
      .from(callEvents)
      .where(eq(callEvents.callId, callId));
    for (const event of events)
      await tx
        .update(callEvents)
        .set({ at: moved(event.at) })
        .where(eq(callEvents.id, event.id));
  });
}
