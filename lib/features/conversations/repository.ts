import {
  and,
  arrayContains,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  ilike,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { listToolUses, listTurns } from '#lib/features/calls/execution/repository.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { findDeliveryOfCall } from '#lib/features/webhooks/repository.ts';
import { searchedDigits } from '#lib/phone-number.ts';
import type { CallFilter } from './contract.ts';
import { containing, momentFrom, searchWords } from './rules.ts';

export type ListedCall = typeof calls.$inferSelect & { agentName: string };
type Page = { limit: number; skip: number };

/** A conversation of the workspace; undefined while the call runs and where the workspace has none with the id. */
export async function findEndedCall(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await db
    .select()
    .from(calls)
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId), eq(calls.status, 'ended')));
  return row;
}

/** Calls that match, the most recent first; the id breaks ties, so that pages neither repeat nor skip. */
export async function listCalls(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
  page: Page,
): Promise<ListedCall[]> {
  const rows = await db
    .select({ call: calls, agentName: agents.name })
    .from(calls)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .where(matching(workspaceId, filter))
    .orderBy(desc(calls.dateInitiated), desc(calls.id))
    .limit(page.limit)
    .offset(page.skip);
  return rows.map((row) => ({ ...row.call, agentName: row.agentName }));
}

/** The calls above and below one in the list of those that match, by the same order. Throws 403 and 404. */
export async function findNeighbours(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  filter: CallFilter,
) {
  await findCallStatus(db, workspaceId, callId);
  const place = sql`(${calls.dateInitiated}, ${calls.id})`;
  const own = sql`(select date_initiated, id from calls where id = ${callId})`;
  const isAbove = sql`${place} > ${own}`;
  const where = matching(workspaceId, filter);
  const [previous] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(where, isAbove))
    .orderBy(asc(calls.dateInitiated), asc(calls.id))
    .limit(1);
  const [next] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(where, sql`${place} < ${own}`))
    .orderBy(desc(calls.dateInitiated), desc(calls.id))
    .limit(1);
  const [counts] = await db
    .select({
      total: sql<number>`count(*)::int`,
      above: sql<number>`(count(*) filter (where ${isAbove}))::int`,
      isListed: sql<boolean>`coalesce(bool_or(${calls.id} = ${callId}), false)`,
    })
    .from(calls)
    .where(where);
  return { previous: previous?.id ?? null, next: next?.id ?? null, counts };
}

export async function countCalls(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
): Promise<number> {
  return db.$count(calls, matching(workspaceId, filter));
}

function matching(workspaceId: WorkspaceId, filter: CallFilter): SQL | undefined {
  return and(
    eq(calls.workspaceId, workspaceId),
    filter.status === undefined
      ? undefined
      : filter.status === 'live'
        ? ne(calls.status, 'ended')
        : eq(calls.status, filter.status),
    filter.agentId === undefined ? undefined : eq(calls.agentId, filter.agentId),
    filter.channel === undefined ? undefined : eq(calls.channel, filter.channel),
    filter.direction === undefined ? undefined : eq(calls.direction, filter.direction),
    filter.sentiment === undefined ? undefined : eq(calls.sentiment, filter.sentiment),
    filter.disposition === undefined ? undefined : eq(calls.disposition, filter.disposition),
    filter.tests === undefined ? undefined : eq(calls.isTest, filter.tests === 'only'),
    filter.tag === undefined ? undefined : arrayContains(calls.tags, [filter.tag]),
    filter.dateStart === undefined ? undefined : gte(calls.dateInitiated, momentFrom(filter.dateStart)),
    filter.dateEnd === undefined ? undefined : lte(calls.dateInitiated, momentFrom(filter.dateEnd)),
    filter.search === undefined ? undefined : or(hasNumber(filter.search), hasWords(filter.search)),
  );
}

function hasWords(search: string): SQL | undefined {
  return and(...searchWords(search).map(occurs));
}

/** A number is found however it is grouped. */
function hasNumber(search: string): SQL | undefined {
  const digits = searchedDigits(search);
  if (digits === null) return undefined;
  const pattern = containing(digits);
  return or(ilike(calls.humanPhoneNumber, pattern), ilike(calls.agentPhoneNumber, pattern));
}

function occurs(word: string): SQL | undefined {
  const pattern = containing(word);
  return or(
    ilike(calls.transcript, pattern),
    ilike(calls.summary, pattern),
    ilike(calls.humanPhoneNumber, pattern),
    ilike(calls.agentPhoneNumber, pattern),
    ilike(sql`array_to_string(${calls.tags}, ' ')`, pattern),
    eq(calls.id, word),
  );
}

/** One call with everything stored about it. Throws 403 and 404. */
export async function loadCallDetail(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [found] = await db
    .select({
      workspaceId: calls.workspaceId,
      call: calls,
      agentName: agents.name,
      agentState: sql<
        'active' | 'inactive' | 'deleted'
      >`case when ${agents.deletedAt} is not null then 'deleted' when ${agents.isActive} then 'active' else 'inactive' end`,
      promptTitle: outboundPrompts.title,
    })
    .from(calls)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .leftJoin(outboundPrompts, eq(outboundPrompts.id, calls.outboundPromptId))
    .where(eq(calls.id, callId));
  const owned = ownedOrThrow(found, workspaceId, 'Call');
  return {
    ...owned,
    attempts: await listAttempts(db, workspaceId, owned.call.retryOf ?? callId),
    delivery: await findDeliveryOfCall(db, workspaceId, callId),
    turns: await listTurns(db, workspaceId, callId),
    toolUses: await listToolUses(db, workspaceId, callId),
    events: await db
      .select({ ...getTableColumns(callEvents), data: eventData })
      .from(callEvents)
      .where(and(eq(callEvents.callId, callId), eq(callEvents.workspaceId, workspaceId)))
      .orderBy(asc(callEvents.id)),
  };
}

/** Turns and tool uses come by themselves: of their events only the place among the others is of use. */
const eventData = sql<
  Record<string, unknown>
>`case when ${callEvents.type} in ('turn', 'tool') then jsonb_build_object('seq', ${callEvents.data} -> 'seq') else ${callEvents.data} end`;

/** The calls of a series, by the first one's id. */
async function listAttempts(db: Database, workspaceId: WorkspaceId, firstId: string) {
  const { id, attempt, attemptsPlanned, status, disposition, endReason } = calls;
  return db
    .select({ id, attempt, attemptsPlanned, status, disposition, endReason })
    .from(calls)
    .where(and(eq(calls.workspaceId, workspaceId), or(eq(id, firstId), eq(calls.retryOf, firstId))))
    .orderBy(asc(attempt));
}

/** Checks that a call is the workspace's own. Throws 403 and 404. */
export async function findCallStatus(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await db
    .select({ workspaceId: calls.workspaceId, status: calls.status })
    .from(calls)
    .where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Call').status;
}

export type EventScope = { callId: string } | { onlyStates: true };

/** Events after an id, oldest first: of one call, or the state changes of all calls of the workspace. */
export async function listEventsAfter(
  db: Database,
  workspaceId: WorkspaceId,
  scope: EventScope,
  afterId: number,
  limit: number,
) {
  return db
    .select()
    .from(callEvents)
    .where(
      and(
        eq(callEvents.workspaceId, workspaceId),
        'callId' in scope ? eq(callEvents.callId, scope.callId) : sql`${callEvents.type} like 'call.%'`,
        gt(callEvents.id, afterId),
      ),
    )
    .orderBy(asc(callEvents.id))
    .limit(limit);
}

export async function findLastEventId(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db
    .select({ id: callEvents.id })
    .from(callEvents)
    .where(eq(callEvents.workspaceId, workspaceId))
    .orderBy(desc(callEvents.id))
    .limit(1);
  return row?.id ?? 0;
}
