import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, notDeleted, outboundPrompts } from '#db/schema/agents.ts';
import { callAttempts, callEvents, calls, toolUses, turns } from '#db/schema/calls.ts';
import { agentKnowledgeBases } from '#db/schema/knowledge.ts';
import { customTags, workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ToolUseRecord, TurnRecord } from '#lib/engine/plan.ts';

/** What a call is held with, as it is at the moment the call is placed. */
export async function loadCallParts(
  db: Database,
  workspaceId: WorkspaceId,
  call: { agentId: string; outboundPromptId: string | null },
) {
  const [found] = await db
    .select({ agent: agents, workspace: workspaces })
    .from(agents)
    .innerJoin(workspaces, eq(workspaces.id, agents.workspaceId))
    .where(and(eq(agents.workspaceId, workspaceId), eq(agents.id, call.agentId), notDeleted));
  const [prompt] =
    call.outboundPromptId === null
      ? []
      : await db
          .select()
          .from(outboundPrompts)
          .where(
            and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.id, call.outboundPromptId)),
          );
  const [knowledge] = await db
    .select({ knowledgeBaseId: agentKnowledgeBases.knowledgeBaseId })
    .from(agentKnowledgeBases)
    .where(eq(agentKnowledgeBases.agentId, call.agentId))
    .limit(1);
  return { agent: found?.agent, workspace: found?.workspace, prompt, hasKnowledge: knowledge !== undefined };
}

/** What the end of a call is computed from. */
export async function loadEndedCall(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await db
    .select({ call: calls, rateCard: workspaces.rateCard })
    .from(calls)
    .innerJoin(workspaces, eq(workspaces.id, calls.workspaceId))
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
  if (!row) return undefined;
  const tags = await db
    .select({ name: customTags.name, description: customTags.description })
    .from(customTags)
    .where(eq(customTags.workspaceId, workspaceId))
    .orderBy(asc(customTags.name));
  return {
    ...row,
    customTags: tags,
    turns: await listTurns(db, workspaceId, callId),
    toolUses: await listToolUses(db, workspaceId, callId),
  };
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

/** The fence: there is at most one row per call, ever. False where somebody committed it before. */
export async function insertAttempt(
  tx: Database,
  workspaceId: WorkspaceId,
  attempt: Omit<typeof callAttempts.$inferInsert, 'workspaceId'>,
): Promise<boolean> {
  const rows = await tx
    .insert(callAttempts)
    .values({ ...attempt, workspaceId })
    .onConflictDoNothing()
    .returning({ id: callAttempts.id });
  return rows.length > 0;
}

export async function findAttempt(db: Database, workspaceId: WorkspaceId, callId: string) {
  const [row] = await db
    .select()
    .from(callAttempts)
    .where(and(eq(callAttempts.callId, callId), eq(callAttempts.workspaceId, workspaceId)));
  return row;
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

/** Whether this process still holds the call; keeps it so until the transaction ends. */
export async function ownsLease(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
  owner: string,
): Promise<boolean> {
  const rows = await tx
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId), eq(calls.leaseOwner, owner)))
    .for('no key update');
  return rows.length > 0;
}

export async function insertTurn(
  tx: Database,
  workspaceId: WorkspaceId,
  turn: TurnRecord & { id: string; callId: string },
): Promise<void> {
  const startedMs = Math.round(turn.startedMs);
  const endedMs = Math.round(turn.endedMs);
  await tx
    .insert(turns)
    .values({ ...turn, startedMs, endedMs, workspaceId })
    .onConflictDoNothing();
}

export async function insertToolUse(
  tx: Database,
  workspaceId: WorkspaceId,
  use: ToolUseRecord & { id: string; callId: string },
): Promise<void> {
  const startedMs = Math.round(use.startedMs);
  const endedMs = Math.round(use.endedMs);
  await tx
    .insert(toolUses)
    .values({ ...use, startedMs, endedMs, workspaceId })
    .onConflictDoNothing();
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
