import { and, asc, desc, eq, getTableColumns, gt, or, type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { callNotes } from '#db/schema/call-notes.ts';
import { callEvents, type CallOutcome, calls } from '#db/schema/calls.ts';
import { callRatings, callReviews } from '#db/schema/reviews.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { agentVersions } from '#db/schema/versions.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { listToolUses, listTurns } from '#lib/features/calls/execution/repository.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { findDeliveryOfCall } from '#lib/features/webhooks/repository.ts';
import type { Result } from '#lib/features/agents/results/rules.ts';
import type { CallFilter } from './contract.ts';
import type { Place } from './listing/conditions.ts';
import { countPlaces, findPlaces, isListed } from './listing/repository.ts';

/** What a list shows of a conversation. */
const SHOWN = {
  id: calls.id,
  channel: calls.channel,
  status: calls.status,
  direction: calls.direction,
  dateInitiated: calls.dateInitiated,
  answeredAt: calls.answeredAt,
  endedAt: calls.endedAt,
  agentId: calls.agentId,
  agentName: agents.name,
  humanPhoneNumber: calls.humanPhoneNumber,
  agentPhoneNumber: calls.agentPhoneNumber,
  durationSeconds: calls.durationSeconds,
  cost: calls.cost,
  disposition: calls.disposition,
  sentiment: calls.sentiment,
  tags: calls.tags,
  summary: calls.summary,
  endReason: calls.endReason,
  endedBy: sql<CallOutcome['endedBy']>`${calls.outcome}->>'endedBy'`,
  notBefore: calls.notBefore,
  notBeforeZone: calls.notBeforeZone,
  isTest: calls.isTest,
  recordingKey: calls.recordingKey,
};

/** The mean of the members' stars, and what they wrote down, one note a line: of a file of conversations. */
const RATING = sql`(select round(avg(${callRatings.stars}), 1)::float8 from ${callRatings} where ${callRatings.callId} = ${calls.id})`;
const NOTES = sql`(select string_agg(${callNotes.author} || ': ' || ${callNotes.text}, E'\n' order by ${callNotes.createdAt}, ${callNotes.id})
  from ${callNotes} where ${callNotes.callId} = ${calls.id})`;

/** By name, each with its value and the words that it rests on. */
const RESULTS_JSON = `(select json_object_agg(result->>'name', json_build_object('type', result->'type', 'value', result->'value',
  'quotes', (select coalesce(json_agg(json_build_object('speaker', quote->'speaker', 'text', quote->'text')), '[]')
    from jsonb_array_elements(result->'quotes') quote))) from jsonb_array_elements(results) result)`;
/**
 * The contract's Conversation, as the database writes it. Only texts that somebody wrote go through `to_json`: with
 * `json_build_object` the database took a fifth longer for a page. `concat_ws` leaves out what is null.
 */
const CONVERSATION_JSON = sql.raw(`'{' || concat_ws(',',
  '"id":' || to_json(id),
  '"dateInitiated":"' || to_char(date_initiated at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"',
  '"agentId":' || to_json(agent_id),
  '"direction":"' || direction || '"',
  '"tags":' || to_json(tags),
  '"summary":' || coalesce(to_json(summary)::text, 'null'),
  '"durationSeconds":' || duration_seconds,
  '"cost":' || cost,
  '"humanPhoneNumber":' || to_json(human_phone_number),
  '"agentPhoneNumber":' || to_json(agent_phone_number),
  '"sentimentClassification":' || coalesce('"' || sentiment || '"', 'null'),
  '"disposition":"' || case when answered_at is null then 'FAILED' else coalesce(disposition, 'COMPLETED') end || '"',
  '"variables":' || variables::text,
  '"transcript":' || to_json(transcript),
  case when channel = 'chat' then '"channel":"chat"' end,
  case when results is not null then '"results":' || ${RESULTS_JSON} end
) || '}'`);

/** A conversation of the workspace; undefined while the call runs and where the workspace has none with the id. */
export async function findConversation(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await queryRows<{ json: string; hasRecording: boolean }>(
    db,
    sql`select ${CONVERSATION_JSON} as json, recording_key is not null as "hasRecording" from calls
      where id = ${callId} and workspace_id = ${workspaceId} and status = 'ended'`,
  );
  return row;
}

/** A page of the conversations that match, as JSON, the most recent first; the id breaks ties, so that pages neither repeat nor skip. */
export async function listConversations(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
  page: { limit: number; skip: number; after: Place | undefined },
): Promise<string> {
  const { json } = await findPlaces(db, workspaceId, { filter, ...page }, async (places) => {
    const [row] = await queryRows<{ json: string | null; length: number }>(
      db,
      sql`select string_agg(call.json, ',' order by places.date_initiated desc, places.id desc) as json, count(*)::int as length
        from (${places}) places, lateral (select ${CONVERSATION_JSON} as json from calls where calls.id = places.id limit 1) call`,
    );
    return { json: row?.json ?? '', length: row?.length ?? 0 };
  });
  return `[${json}]`;
}

/** Calls that match, the most recent first, as a list shows them; with their transcripts where words were searched in them. */
export async function listCalls(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
  page: { limit: number; skip: number },
): Promise<ListedCall[]> {
  return findPlaces(db, workspaceId, { filter, ...page }, (places) =>
    selectAt(db, places, { hasTranscript: filter.search !== undefined, hasVariables: false }),
  );
}

/** The next calls after a place of the list, with everything that a file of them has. */
export async function listExported(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
  from: { limit: number; after: Place | undefined },
): Promise<ListedCall[]> {
  return findPlaces(db, workspaceId, { filter, ...from }, (places) =>
    selectAt(db, places, { hasTranscript: true, hasVariables: true }),
  );
}

export type ListedCall = Awaited<ReturnType<typeof selectAt>>[number];

/** Rows at places that were found, one look-up each. What is not asked for comes empty. */
async function selectAt(
  db: Database,
  places: SQL,
  { hasTranscript, hasVariables }: { hasTranscript: boolean; hasVariables: boolean },
) {
  return db
    .select({
      ...SHOWN,
      isReviewed: sql<boolean>`${callReviews.reviewedAt} is not null`,
      assignee: callReviews.assignee,
      transcript: sql<string>`${hasTranscript ? calls.transcript : sql`''`}`,
      results: sql<Result[] | null>`${hasVariables ? calls.results : sql`null::jsonb`}`,
      variables: sql<Record<string, string>>`${hasVariables ? calls.variables : sql`'{}'::jsonb`}`,
      rating: sql<number | null>`${hasVariables ? RATING : sql`null::float8`}`,
      notes: sql<string | null>`${hasVariables ? NOTES : sql`null::text`}`,
    })
    .from(sql`(${places}) places`)
    .innerJoin(calls, sql`${calls.id} = places.id`)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .leftJoin(callReviews, eq(callReviews.callId, calls.id))
    .orderBy(sql`places.date_initiated desc, places.id desc`);
}

/** The calls above and below one in the list of those that match, by the same order. Throws 403 and 404. */
export async function findNeighbours(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  filter: CallFilter,
) {
  const place = await findPlace(db, workspaceId, callId);
  const above = { filter, order: 'oldest first', after: place } as const;
  const idsAt = (places: SQL) => queryRows<{ id: string }>(db, places);
  const [previous] = await findPlaces(db, workspaceId, { ...above, limit: 1 }, idsAt);
  const [next] = await findPlaces(db, workspaceId, { filter, after: place, limit: 1 }, idsAt);
  const before = (await isListed(db, workspaceId, filter, callId))
    ? await countPlaces(db, workspaceId, above)
    : undefined;
  return {
    previous: previous?.id ?? null,
    next: next?.id ?? null,
    position: before?.isExact ? before.count + 1 : null,
    total: await countPlaces(db, workspaceId, { filter }),
  };
}

/** Where a call is in the list. Throws 403 and 404. */
export async function findPlace(db: Database, workspaceId: WorkspaceId, callId: string): Promise<Place> {
  const [row] = await db
    .select({ workspaceId: calls.workspaceId, id: calls.id, dateInitiated: calls.dateInitiated })
    .from(calls)
    .where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Call');
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
      version: { id: agentVersions.id, number: agentVersions.number },
      campaign: { id: campaigns.id, name: campaigns.name },
    })
    .from(calls)
    .innerJoin(agents, eq(agents.id, calls.agentId))
    .leftJoin(outboundPrompts, eq(outboundPrompts.id, calls.outboundPromptId))
    .leftJoin(campaigns, eq(campaigns.id, calls.campaignId))
    .leftJoin(agentVersions, eq(agentVersions.id, calls.agentVersionId))
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
