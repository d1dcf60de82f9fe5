import { setImmediate } from 'node:timers/promises';
import { and, asc, eq, exists, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { insertWhere } from '#db/insert-where.ts';
import { mayBeLost } from '#db/may-be-lost.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { campaigns } from '#db/schema/campaigns.ts';
import { callAttempts, callEvents, calls, toolUses, transferAttempts, turns } from '#db/schema/calls.ts';
import { agentKnowledgeBases } from '#db/schema/knowledge.ts';
import { agentSplits } from '#db/schema/versions.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { TRANSFER_ANSWERED } from '#lib/conversation-process/conversations.ts';
import type { LineTrace } from '#lib/ports/carrier.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ToolUseRecord, TurnRecord } from '#lib/engine/plan.ts';
import { renderTranscript } from '#lib/engine/transcript.ts';
import { type SettledSeconds, settlement } from '#lib/features/usage/repository.ts';
import { type CallMove, type CallRow, insertEventWhere, isOwnedBy, moveStatements } from '../repository.ts';

/** What a call is run with, as it is at the moment the call is placed. */
export async function loadCallParts(
  db: Database,
  workspaceId: WorkspaceId,
  call: { agentId: string; outboundPromptId: string | null; campaignId?: string | null },
) {
  const knowledge = db
    .select({ id: agentKnowledgeBases.knowledgeBaseId })
    .from(agentKnowledgeBases)
    .where(eq(agentKnowledgeBases.agentId, agents.id));
  const [found] = await db
    .select({
      agent: agents,
      workspace: workspaces,
      prompt: outboundPrompts,
      hasKnowledge: sql<boolean>`${exists(knowledge)}`,
      campaign: { state: campaigns.state, callingHours: campaigns.callingHours },
      split: { versionId: agentSplits.versionId, percent: agentSplits.percent },
    })
    .from(agents)
    .innerJoin(workspaces, eq(workspaces.id, agents.workspaceId))
    .leftJoin(
      outboundPrompts,
      and(
        eq(outboundPrompts.workspaceId, agents.workspaceId),
        eq(outboundPrompts.id, call.outboundPromptId ?? ''),
      ),
    )
    .leftJoin(
      campaigns,
      and(eq(campaigns.workspaceId, agents.workspaceId), eq(campaigns.id, call.campaignId ?? '')),
    )
    .leftJoin(agentSplits, and(eq(agentSplits.agentId, agents.id), isNull(agentSplits.endedAt)))
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, call.agentId), notDeleted));
  return found;
}

export async function findCampaignState(db: Database, workspaceId: WorkspaceId, campaignId: string) {
  const [row] = await db
    .select({ state: campaigns.state })
    .from(campaigns)
    .where(and(eq(campaigns.workspaceId, workspaceId), eq(campaigns.id, campaignId)));
  return row?.state;
}

export async function listTurns(db: Database, workspaceId: WorkspaceId, callId: string) {
  return db
    .select()
    .from(turns)
    .where(and(eq(turns.callId, callId), eq(turns.workspaceId, workspaceId)))
    .orderBy(asc(turns.startedMs), asc(turns.seq));
}

export async function listToolUses(db: Database, workspaceId: WorkspaceId, callId: string) {
  return db
    .select()
    .from(toolUses)
    .where(and(eq(toolUses.callId, callId), eq(toolUses.workspaceId, workspaceId)))
    .orderBy(asc(toolUses.seq));
}

/**
 * The fence, in one statement: moves the call to `dialing` and writes its attempt. False where the call is no longer
 * ours. Throws where the call has an attempt already: there is at most one row per call, ever.
 */
export async function commitFence(
  db: Database,
  workspaceId: WorkspaceId,
  move: CallMove,
  attempt: Omit<typeof callAttempts.$inferInsert, 'workspaceId'>,
): Promise<boolean> {
  const { parts } = moveStatements(db, workspaceId, move);
  const isMoved = sql`exists (select from moved)`;
  const rows = await queryRows(
    db,
    sql`with ${parts} ${insertWhere(callAttempts, { ...attempt, workspaceId }, isMoved)} returning id`,
  );
  return rows.length > 0;
}

/**
 * Ends a call and settles its month in one statement: all calls of a workspace wait for the month's row, for as long as
 * the database needs and not for as long as a busy process does. False where the call is no longer ours to end.
 */
export async function endCall(
  db: Database,
  workspaceId: WorkspaceId,
  move: CallMove,
  settled: SettledSeconds,
): Promise<boolean> {
  const { parts } = moveStatements(db, workspaceId, move);
  const settling = settlement(db, workspaceId, settled, sql`exists (select from moved)`);
  const rows = await queryRows(db, sql`with ${parts}, settled as ${settling} select id from moved`);
  return rows.length > 0;
}

/** Those of these calls, of any workspace, that have ended. */
export async function listEnded(db: Database, ids: readonly string[]): Promise<CallRow[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(calls)
    .where(and(inArray(calls.id, [...ids]), eq(calls.status, 'ended')));
}

/** A statement takes at most 65,535 values, and the embedded database answers without a turn of the event loop. */
const TURNS_PER_STATEMENT = 200;

/** Adds turns that came to light after the end of a call, and writes its transcript anew. Those that are there stay. */
export async function addLateTurns(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  late: readonly (TurnRecord & { id: string })[],
): Promise<number> {
  return db.transaction(async (tx) => {
    let added = 0;
    for (let from = 0; from < late.length; from += TURNS_PER_STATEMENT) {
      const rows = late.slice(from, from + TURNS_PER_STATEMENT);
      const inserted = await tx
        .insert(turns)
        .values(rows.map((turn) => ({ ...inWholeMs(turn), callId, workspaceId })))
        .onConflictDoNothing()
        .returning({ id: turns.id });
      added += inserted.length;
      await setImmediate();
    }
    if (added === 0) return 0;
    const transcript = renderTranscript(await listTurns(tx, workspaceId, callId));
    await tx
      .update(calls)
      .set({ transcript })
      .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
    return added;
  });
}

export async function findAttempt(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await db
    .select()
    .from(callAttempts)
    .where(and(eq(callAttempts.callId, callId), eq(callAttempts.workspaceId, workspaceId)));
  return row;
}

/** The fence of a transfer. False, with nothing written, where this process no longer owns the call's lease. */
export async function commitTransfer(
  db: Database,
  workspaceId: WorkspaceId,
  owner: string,
  attempt: Omit<typeof transferAttempts.$inferInsert, 'workspaceId'>,
): Promise<boolean> {
  const lease = db
    .select({ id: calls.id })
    .from(calls)
    .where(and(ownedCall(workspaceId, attempt.callId, owner), eq(calls.status, 'in_progress')))
    .for('no key update');
  const written = insertWhere(transferAttempts, { ...attempt, workspaceId }, sql`exists (select from owned)`);
  return (await queryRows(db, sql`with owned as ${lease} ${written} returning id`)).length > 0;
}

/** Whom a call was being handed to; `trace` where they had answered. */
export async function listTransfers(db: Database, workspaceId: WorkspaceId, callId: string) {
  const answer = and(
    eq(callEvents.callId, transferAttempts.callId),
    eq(callEvents.type, TRANSFER_ANSWERED),
    sql`${callEvents.data} ->> 'reference' = ${transferAttempts.reference}`,
  );
  return db
    .select({
      carrier: transferAttempts.carrier,
      reference: transferAttempts.reference,
      number: transferAttempts.number,
      committedAt: transferAttempts.committedAt,
      trace: sql<LineTrace | null>`${callEvents.data} -> 'line'`,
    })
    .from(transferAttempts)
    .leftJoin(callEvents, answer)
    .where(and(eq(transferAttempts.callId, callId), eq(transferAttempts.workspaceId, workspaceId)));
}

export async function hasEvent(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  type: string,
): Promise<boolean> {
  const wanted = and(
    eq(callEvents.callId, callId),
    eq(callEvents.workspaceId, workspaceId),
    eq(callEvents.type, type),
  );
  return (await db.$count(callEvents, wanted)) > 0;
}

/** Which events of a call are stored, and when each happened. */
export async function listEventTimes(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<{ type: string; at: Date }[]> {
  return db
    .select({ type: callEvents.type, at: callEvents.at })
    .from(callEvents)
    .where(and(eq(callEvents.callId, callId), eq(callEvents.workspaceId, workspaceId)));
}

const ownedCall = (workspaceId: WorkspaceId, callId: string, owner: string) =>
  and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId), isOwnedBy(owner));

/** Whether this process still owns the call's lease; keeps it so until the transaction ends. */
export async function ownsLease(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
  owner: string,
): Promise<boolean> {
  const rows = await tx
    .select({ id: calls.id })
    .from(calls)
    .where(ownedCall(workspaceId, callId, owner))
    .for('no key update');
  return rows.length > 0;
}

/** What belongs to an event of a call and is stored with it. */
export type EventRecord = { turn: TurnRecord & { id: string } } | { toolUse: ToolUseRecord & { id: string } };

/**
 * Writes an event of a call, and the turn or the tool use it tells of, in one statement; false, with nothing written,
 * where this process no longer owns the call's lease. A turn or tool use that is there already is left as it is.
 */
export async function insertOwnedEvent(
  db: Database,
  workspaceId: WorkspaceId,
  owned: {
    callId: string;
    owner: string;
    event: { type: string; data: Record<string, unknown>; at: Date };
    record?: EventRecord | undefined;
    /** The call's journal has it too: the statement does not wait for the disk. */
    isInJournal?: boolean | undefined;
  },
): Promise<boolean> {
  const { callId, record } = owned;
  const lease = db
    .select({ id: calls.id })
    .from(calls)
    .where(ownedCall(workspaceId, callId, owned.owner))
    .for('no key update');
  const isOwned = sql`exists (select from owned)${owned.isInJournal ? sql` and ${mayBeLost}` : sql``}`;
  const stored = record
    ? sql`, stored as (${insertRecord({ workspaceId, callId, record }, isOwned)} on conflict do nothing)`
    : sql``;
  const event = insertEventWhere(workspaceId, { callId, ...owned.event }, isOwned);
  return (await queryRows(db, sql`with owned as ${lease}${stored} ${event} returning id`)).length > 0;
}

function insertRecord(
  { workspaceId, callId, record }: { workspaceId: WorkspaceId; callId: string; record: EventRecord },
  condition: SQL,
): SQL {
  const owned = { callId, workspaceId };
  return 'turn' in record
    ? insertWhere(turns, { ...inWholeMs(record.turn), ...owned }, condition)
    : insertWhere(toolUses, { ...inWholeMs(record.toolUse), ...owned }, condition);
}

function inWholeMs<Part extends { startedMs: number; endedMs: number }>(part: Part): Part {
  return { ...part, startedMs: Math.round(part.startedMs), endedMs: Math.round(part.endedMs) };
}

export async function addReservedSeconds(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
  seconds: number,
): Promise<void> {
  await tx
    .update(calls)
    .set({ reservedSeconds: sql`${calls.reservedSeconds} + ${seconds}` })
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
}

export async function saveRecording(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  recording: { recordingKey: string; recordingSizeBytes: number },
): Promise<void> {
  await db
    .update(calls)
    .set(recording)
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
}
