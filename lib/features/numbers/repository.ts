import { and, asc, eq, like, ne, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';
import { SIMULATED_PREFIX } from './rules.ts';

export type NumberRow = typeof phoneNumbers.$inferSelect;

/** The last call of a number in one direction, as JSON: one look-up in the index of its calls. */
const lastCall = (direction: 'INBOUND' | 'OUTBOUND') => sql<LastCall | null>`(
  select jsonb_build_object('conversationId', c.id, 'at', c.created_at, 'isConnected', c.answered_at is not null,
    'endReason', c.end_reason)
  from calls c where c.phone_number_id = ${phoneNumbers.id} and c.direction = ${direction}
  order by c.created_at desc limit 1)`;

export type LastCall = { conversationId: string; at: string; isConnected: boolean; endReason: string | null };

const withAgent = {
  number: phoneNumbers,
  agent: { id: agents.id, name: agents.name },
  lastIn: lastCall('INBOUND'),
  lastOut: lastCall('OUTBOUND'),
};

export async function listNumbers(db: Database, workspaceId: WorkspaceId) {
  return db
    .select(withAgent)
    .from(phoneNumbers)
    .leftJoin(agents, eq(agents.id, phoneNumbers.agentId))
    .where(eq(phoneNumbers.workspaceId, workspaceId))
    .orderBy(asc(phoneNumbers.number));
}

export async function findNumberWithAgent(db: Database, workspaceId: WorkspaceId, numberId: string) {
  const [row] = await db
    .select(withAgent)
    .from(phoneNumbers)
    .leftJoin(agents, eq(agents.id, phoneNumbers.agentId))
    .where(eq(phoneNumbers.id, numberId));
  ownedOrThrow(row?.number, workspaceId, 'Phone number');
  return row;
}

/** The row, locked until the transaction ends. */
export async function lockNumber(
  db: Database,
  workspaceId: WorkspaceId,
  numberId: string,
): Promise<NumberRow> {
  const [row] = await db.select().from(phoneNumbers).where(eq(phoneNumbers.id, numberId)).for('update');
  return ownedOrThrow(row, workspaceId, 'Phone number');
}

/** The workspace's number, written exactly so; undefined where it is nobody's or another workspace's. */
export async function findByNumber(
  db: Database,
  workspaceId: WorkspaceId,
  number: string,
): Promise<NumberRow | undefined> {
  const [row] = await db
    .select()
    .from(phoneNumbers)
    .where(and(eq(phoneNumbers.number, number), eq(phoneNumbers.workspaceId, workspaceId)));
  return row;
}

/** The workspace's numbers, the oldest first. */
export async function listOwnNumbers(db: Database, workspaceId: WorkspaceId): Promise<string[]> {
  const rows = await db
    .select({ number: phoneNumbers.number })
    .from(phoneNumbers)
    .where(eq(phoneNumbers.workspaceId, workspaceId))
    .orderBy(asc(phoneNumbers.createdAt), asc(phoneNumbers.number));
  return rows.map(({ number }) => number);
}

/** Until the transaction ends, no other one chooses a number: two would choose the same. */
export async function lockNumberChoice(db: Database): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext('phone_numbers.choice'))`);
}

/** The numbers of the simulated range in use, of any workspace: a number is one workspace's only. */
export async function takenSimulatedNumbers(db: Database): Promise<string[]> {
  const rows = await db
    .select({ number: phoneNumbers.number })
    .from(phoneNumbers)
    .where(like(phoneNumbers.number, `${SIMULATED_PREFIX}%`));
  return rows.map((row) => row.number);
}

/** The new row, or undefined where the number is taken. */
export async function insertNumber(
  db: Database,
  workspaceId: WorkspaceId,
  number: {
    id: string;
    number: string;
    carrier: NumberCarrier;
    agentId: string | null;
    maxConcurrentCalls: number;
    now: Date;
  },
): Promise<NumberRow | undefined> {
  const { now, ...values } = number;
  const [row] = await db
    .insert(phoneNumbers)
    .values({ ...values, workspaceId, createdAt: now, updatedAt: now })
    .onConflictDoNothing()
    .returning();
  return row;
}

export async function updateNumber(
  db: Database,
  workspaceId: WorkspaceId,
  numberId: string,
  change: { agentId?: string | null | undefined; maxConcurrentCalls?: number | undefined },
  now: Date,
): Promise<void> {
  await db
    .update(phoneNumbers)
    .set({ ...change, updatedAt: now })
    .where(and(eq(phoneNumbers.id, numberId), eq(phoneNumbers.workspaceId, workspaceId)));
}

export async function hasOpenCall(
  db: Database,
  workspaceId: WorkspaceId,
  numberId: string,
): Promise<boolean> {
  const [row] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(
      and(eq(calls.workspaceId, workspaceId), eq(calls.phoneNumberId, numberId), ne(calls.status, 'ended')),
    )
    .limit(1);
  return row !== undefined;
}

export async function deleteNumber(db: Database, workspaceId: WorkspaceId, numberId: string): Promise<void> {
  await db
    .delete(phoneNumbers)
    .where(and(eq(phoneNumbers.id, numberId), eq(phoneNumbers.workspaceId, workspaceId)));
}
