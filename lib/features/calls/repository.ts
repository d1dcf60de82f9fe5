import { and, eq, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { type Database, queryRows } from '#db/client.ts';
import { insertWhere } from '#db/insert-where.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import { CALL_STATUSES } from '#lib/ports/call-kinds.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { isOptedOut } from '#lib/features/opt-outs/repository.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { reservation } from '#lib/features/usage/repository.ts';
import { usedByOf } from '#lib/features/usage/rules.ts';
import { CALL_ENTRIES, type CallStatus, type CallTrigger, next } from './machine.ts';

export type CallRow = typeof calls.$inferSelect;
export type NewCallRow = Omit<typeof calls.$inferInsert, 'workspaceId' | 'status' | 'statusRank'> & {
  reservedSeconds: number;
};

export function rankOf(status: CallStatus): number {
  return CALL_STATUSES.indexOf(status);
}

/*
 * What a statement about one call asks of its state and its owner is spelled so that no index fits but the one of the id:
 * planned by statistics from when nothing waited, it would scan all calls that wait or run.
 */
const isIn = (status: CallStatus) => eq(calls.statusRank, rankOf(status));
export const isOwnedBy = (owner: string) => sql`coalesce(${calls.leaseOwner}, '') = ${owner}`;

type NewEvent = { callId: string; type: string; data: Record<string, unknown>; at: Date };

/**
 * Accepts a call with the first event of its timeline and reserves seconds of its month, in one statement: the month's
 * row is locked for as long as the database needs, not for as long as a busy process does. False, with nothing
 * written, where the seconds do not fit into the limit.
 */
export async function insertReservedCall(
  db: Database,
  workspaceId: WorkspaceId,
  call: NewCallRow,
  entry: keyof typeof CALL_ENTRIES = 'accept',
): Promise<boolean> {
  const { usageMonth: month, reservedSeconds: seconds } = call;
  const status = CALL_ENTRIES[entry];
  const row = { ...call, workspaceId, status, statusRank: rankOf(status) };
  const event = { callId: call.id, type: `call.${status}`, data: {}, at: call.createdAt };
  const rows = await queryRows(
    db,
    sql`with
      reserved as (${reservation(workspaceId, { month, seconds, usedBy: usedByOf(call) })}),
      accepted as (${insertWhere(calls, row, sql`exists (select from reserved)`)} returning id)
      ${insertEventWhere(workspaceId, event, sql`exists (select from accepted)`)} returning id`,
  );
  return rows.length > 0;
}

/** Writes a chat, in progress from its first moment, with the first event of its timeline. It reserves nothing. */
export async function insertChatConversation(
  db: Database,
  workspaceId: WorkspaceId,
  chat: Omit<NewCallRow, 'channel' | 'reservedSeconds'>,
): Promise<void> {
  const status = CALL_ENTRIES.open_chat;
  await db
    .insert(calls)
    .values({ ...chat, channel: 'chat', workspaceId, status, statusRank: rankOf(status) });
  const event = { callId: chat.id, workspaceId, type: `call.${status}`, data: {}, at: chat.createdAt };
  await db.insert(callEvents).values(event);
}

export async function recordEvent(db: Database, workspaceId: WorkspaceId, event: NewEvent): Promise<void> {
  await db.insert(callEvents).values({ ...event, workspaceId });
}

/** A statement that writes an event where the condition holds. */
export function insertEventWhere(workspaceId: WorkspaceId, event: NewEvent, condition: SQL): SQL {
  return insertWhere(callEvents, { ...event, workspaceId }, condition);
}

export async function findCall(db: Database, workspaceId: WorkspaceId, callId: string): Promise<CallRow> {
  const [row] = await db.select().from(calls).where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Call');
}

/** Calls that wait, claimed by nobody, for a number that opted out. */
export function listWaitingOptedOut(db: Database, workspaceId: WorkspaceId): Promise<string[]> {
  return listWaiting(db, workspaceId, isOptedOut(workspaceId, sql`${calls.humanPhoneNumber}`));
}

/** Calls of a campaign that wait, claimed by nobody, whatever they wait for. */
export function listWaitingOfCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<string[]> {
  return listWaiting(db, workspaceId, eq(calls.campaignId, campaignId));
}

async function listWaiting(db: Database, workspaceId: WorkspaceId, condition: SQL): Promise<string[]> {
  const rows = await db
    .select({ id: calls.id })
    .from(calls)
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        eq(calls.status, 'queued'),
        isNull(calls.leaseOwner),
        condition,
      ),
    );
  return rows.map((row) => row.id);
}

/** Lets the waiting calls of a campaign be placed when they were due: where that is a bad time, the look before the dial says so. */
export async function resumeWaitingOfCampaign(
  db: Database,
  workspaceId: WorkspaceId,
  campaignId: string,
): Promise<void> {
  await db
    .update(calls)
    .set({ notBefore: sql`${calls.dueAt}`, notBeforeZone: null })
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        eq(calls.campaignId, campaignId),
        eq(calls.status, 'queued'),
        isNull(calls.leaseOwner),
      ),
    );
}

type CallStep = {
  trigger: CallTrigger;
  /** For the timeline. */
  data?: Record<string, unknown>;
};

export type CallMove = CallStep & {
  callId: string;
  from: CallStatus;
  at: Date;
  /** The process that must still own the lease; null where the move is not a worker's. */
  owner: string | null;
  fields?: Partial<typeof calls.$inferInsert>;
  /** A second move in the same moment, which nothing could come between. */
  followedBy?: CallStep;
};

/**
 * Moves a call by its state machine and writes the event. Gives back the new state, or undefined where the call is no
 * longer in `from` or no longer ours: whoever moved it goes on with it.
 */
export async function moveCall(
  db: Database,
  workspaceId: WorkspaceId,
  move: CallMove,
): Promise<CallStatus | undefined> {
  const { status, parts } = moveStatements(db, workspaceId, move);
  const rows = await queryRows(db, sql`with ${parts} select id from moved`);
  return rows.length === 0 ? undefined : status;
}

/**
 * A move as parts of one statement, to stand after `with`: the update, named `moved`, which has a row where the call moved,
 * and the events that are written then.
 */
export function moveStatements(db: Database, workspaceId: WorkspaceId, move: CallMove) {
  const { callId, at } = move;
  const events: SQL[] = [];
  let status = move.from;
  let previous = sql`moved`;
  for (const { trigger, data = {} } of move.followedBy ? [move, move.followedBy] : [move]) {
    const transition = next(status, trigger);
    if (!transition.ok) throw new Error(transition.reason);
    status = transition.state;
    const name = sql.identifier(`noted_${status}`);
    const event = { callId, type: `call.${status}`, data, at };
    // Each after the one before it: the timeline is in the order of the rows.
    const isNext = sql`exists (select from ${previous})`;
    events.push(sql`, ${name} as (${insertEventWhere(workspaceId, event, isNext)} returning id)`);
    previous = sql`${name}`;
  }
  const moved = db
    .update(calls)
    .set({
      ...move.fields,
      ...inOrderOfTime(move.fields),
      status,
      statusRank: rankOf(status),
      updatedAt: atLeast({ at, column: calls.updatedAt }, calls.updatedAt),
    })
    .where(
      and(
        eq(calls.id, callId),
        eq(calls.workspaceId, workspaceId),
        isIn(move.from),
        move.owner === null ? undefined : isOwnedBy(move.owner),
        // The fence asks once more: a person may have opted out while the call waited.
        move.trigger === 'dial' ? not(isOptedOut(workspaceId, sql`${calls.humanPhoneNumber}`)) : undefined,
      ),
    )
    .returning({ id: calls.id });
  return { status, parts: sql`moved as ${moved}${sql.join(events)}` };
}

/** Clocks are set: no call is answered before it was placed, or over before it was answered. */
function inOrderOfTime({ answeredAt, endedAt }: Partial<typeof calls.$inferInsert> = {}) {
  const { dateInitiated } = calls;
  return {
    ...(answeredAt
      ? { answeredAt: atLeast({ at: answeredAt, column: calls.answeredAt }, dateInitiated) }
      : {}),
    ...(endedAt
      ? { endedAt: atLeast({ at: endedAt, column: calls.endedAt }, dateInitiated, calls.answeredAt) }
      : {}),
  };
}

/** A moment for a column, or the latest of those that came before it. */
function atLeast({ at, column }: { at: Date; column: AnyPgColumn }, ...before: AnyPgColumn[]): SQL<Date> {
  return sql<Date>`greatest(${sql.param(at, column)}::timestamptz, ${sql.join(before, sql`, `)})`;
}
