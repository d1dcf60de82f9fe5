import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { isOptedOut } from '#lib/features/opt-outs/repository.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

/**
 * A number of the workspace, spelled exactly as it is listed, with its agent; and whether `person` asked not to be
 * called again.
 */
export async function findNumberWithAgent(
  db: Database,
  workspaceId: WorkspaceId,
  number: string,
  person: string,
) {
  const [row] = await db
    .select({
      id: phoneNumbers.id,
      number: phoneNumbers.number,
      carrier: phoneNumbers.carrier,
      agentId: agents.id,
      isAgentActive: agents.isActive,
      isOptedOut: isOptedOut(workspaceId, person),
      callingHours: workspaces.callingHours,
      workspaceZone: workspaces.timeZone,
    })
    .from(phoneNumbers)
    .innerJoin(workspaces, eq(workspaces.id, phoneNumbers.workspaceId))
    .leftJoin(agents, eq(agents.id, phoneNumbers.agentId))
    .where(and(eq(phoneNumbers.workspaceId, workspaceId), eq(phoneNumbers.number, number)));
  return row;
}

/** Whose number it is, written in one of these ways, of any workspace: whoever calls in names none. */
export async function findNumberOwner(
  db: Database,
  carrier: string,
  spellings: readonly string[],
): Promise<{ workspaceId: string; number: string } | undefined> {
  const [row] = await db
    .select({ workspaceId: phoneNumbers.workspaceId, number: phoneNumbers.number })
    .from(phoneNumbers)
    .where(and(inArray(phoneNumbers.number, [...spellings]), sql`${phoneNumbers.carrier} = ${carrier}`));
  return row;
}

/** What of a prompt decides whether a call can be held with it. */
const PROMPT_TO_CALL_WITH = {
  id: outboundPrompts.id,
  workspaceId: outboundPrompts.workspaceId,
  agentId: outboundPrompts.agentId,
  opening: outboundPrompts.opening,
  voicePrompt: outboundPrompts.voicePrompt,
  writtenCardFields: outboundPrompts.writtenCardFields,
};

/** The prompt a call named. Throws 403 for another workspace's and 404 for an unknown one. */
export async function findOutboundPrompt(db: Database, workspaceId: WorkspaceId, promptId: string) {
  const [row] = await db
    .select(PROMPT_TO_CALL_WITH)
    .from(outboundPrompts)
    .where(eq(outboundPrompts.id, promptId));
  return ownedOrThrow(row, workspaceId, 'Outbound prompt');
}

/** The agent's first outbound prompt: the oldest one. */
export async function findFirstOutboundPrompt(db: Database, workspaceId: WorkspaceId, agentId: string) {
  const [row] = await db
    .select(PROMPT_TO_CALL_WITH)
    .from(outboundPrompts)
    .where(and(eq(outboundPrompts.workspaceId, workspaceId), eq(outboundPrompts.agentId, agentId)))
    .orderBy(asc(outboundPrompts.createdAt), asc(outboundPrompts.id))
    .limit(1);
  return row;
}

/** Calls that wait, claimed by nobody, with what decides until when: all, or the one given. */
export async function listWaiting(db: Database, workspaceId: WorkspaceId, callId?: string) {
  return db
    .select({
      id: calls.id,
      humanPhoneNumber: calls.humanPhoneNumber,
      createdAt: calls.createdAt,
      dueAt: calls.dueAt,
      notBefore: calls.notBefore,
      notBeforeZone: calls.notBeforeZone,
    })
    .from(calls)
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        eq(calls.status, 'queued'),
        isNull(calls.leaseOwner),
        callId === undefined ? undefined : eq(calls.id, callId),
      ),
    );
}

type Replanned = { id: string; notBefore: Date | null; notBeforeZone: string | null };

/** In one statement for all: ten thousand calls may wait. What was claimed meanwhile is left alone. */
export async function updateWaiting(
  db: Database,
  workspaceId: WorkspaceId,
  planned: readonly Replanned[],
): Promise<void> {
  const rows = planned.map(({ id, notBefore, notBeforeZone }) => ({
    id,
    at: notBefore,
    zone: notBeforeZone,
  }));
  await db.execute(sql`
    update calls set not_before = planned.at, not_before_zone = planned.zone
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as planned (id text, at timestamptz, zone text)
    where calls.id = planned.id and calls.workspace_id = ${workspaceId}
      and calls.status_rank = 0 and coalesce(calls.lease_owner, '') = ''`);
}

/** The hours in which people are called now, and the zone that counts where theirs is not known. */
export async function findCallingHours(db: Database, workspaceId: WorkspaceId) {
  const [row] = await selectCallingHours(db, workspaceId);
  return row;
}

/** The same; they stay as they are until the transaction ends. */
export async function keepCallingHours(tx: Database, workspaceId: WorkspaceId) {
  const [row] = await selectCallingHours(tx, workspaceId).for('share');
  return row;
}

const selectCallingHours = (db: Database, workspaceId: WorkspaceId) =>
  db
    .select({ callingHours: workspaces.callingHours, workspaceZone: workspaces.timeZone })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
