import { and, asc, eq, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { type CallRow, insertEventWhere, isOwnedBy } from '../repository.ts';

export type Lease = { owner: string; until: Date };
/** `dialAt`: the moment at which its carrier takes the call. */
export type ClaimedCall = { call: CallRow; dialAt: Date };

/**
 * Leases up to `atMost` waiting calls of a workspace, as far as the limits of the workspace, of the numbers and of the
 * carriers allow: fewest calls of the number first, then oldest. Claims of one workspace take turns, so its limits
 * cannot be passed. A lease alone dials nobody.
 *
 * @returns the calls in the order in which they are to be dialled; `retryAt` where a carrier is at its rate: when it
 * takes the next one.
 */
export async function claimCalls(
  db: Database,
  workspaceId: WorkspaceId,
  wanted: { atMost: number; now: Date; lease: Lease; callsPerSecond: Readonly<Record<string, number>> },
): Promise<{ claimed: ClaimedCall[]; retryAt: Date | undefined }> {
  const { atMost, now, lease, callsPerSecond } = wanted;
  const rows = await queryRows<{ call_id: string | null; dial_at_ms: number }>(
    db,
    sql`select call_id, (extract(epoch from dial_at) * 1000)::float8 as dial_at_ms
      from claim_calls(${workspaceId}, ${atMost}::int, ${lease.owner}, ${now.toISOString()}::timestamptz,
        ${lease.until.toISOString()}::timestamptz, ${JSON.stringify(callsPerSecond)}::jsonb)`,
  );
  const retryAtMs = rows.find((row) => row.call_id === null)?.dial_at_ms;
  const dialTimes = new Map(
    rows.flatMap((row) => (row.call_id === null ? [] : [[row.call_id, row.dial_at_ms]])),
  );
  const found =
    dialTimes.size === 0
      ? []
      : await db
          .select()
          .from(calls)
          .where(and(eq(calls.workspaceId, workspaceId), isOneOf([...dialTimes.keys()])));
  const byId = new Map(found.map((call) => [call.id, call]));
  const claimed = [...dialTimes].flatMap(([id, dialAtMs]) => {
    const call = byId.get(id);
    return call ? [{ call, dialAt: new Date(dialAtMs) }] : [];
  });
  return { claimed, retryAt: retryAtMs === undefined ? undefined : new Date(retryAtMs) };
}

/** One parameter, so that the statement is the same for any number of calls and is kept prepared. */
const isOneOf = (callIds: readonly string[]) =>
  sql`${calls.id} = any(array(select jsonb_array_elements_text(${JSON.stringify(callIds)}::jsonb)))`;

/** Workspaces in which a queued call waits for somebody to take it. Asked by the sweep, for every workspace. */
export async function listWorkspacesWithWaitingCalls(db: Database): Promise<string[]> {
  const waiting = db
    .select({ id: calls.id })
    .from(calls)
    .where(and(eq(calls.workspaceId, workspaces.id), eq(calls.status, 'queued'), isNull(calls.leaseOwner)))
    .limit(1);
  // Not `exists`, which reads all that waits once instead of a row for each workspace.
  const rows = await db
    .select({ id: workspaces.id })
    .from(workspaces)
    .where(sql`(${waiting}) is not null`);
  return rows.map((row) => row.id);
}

/** Puts calls back into the queue, of every workspace, that a process claimed and did not dial before its lease ran out. */
export async function releaseExpiredClaims(db: Database, now: Date): Promise<void> {
  await db
    .update(calls)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(and(isNotNull(calls.leaseOwner), eq(calls.status, 'queued'), lte(calls.leaseUntil, now)));
}

/** Calls that were dialled and whose process has gone silent, of every workspace, longest silent first. */
export async function listOrphans(db: Database, now: Date, limit: number) {
  return db
    .select({ id: calls.id, workspaceId: calls.workspaceId, leaseUntil: calls.leaseUntil })
    .from(calls)
    .where(
      and(
        isNotNull(calls.leaseOwner),
        inArray(calls.status, ['dialing', 'ringing', 'in_progress', 'wrapping_up']),
        or(isNull(calls.leaseUntil), lte(calls.leaseUntil, now)),
      ),
    )
    .orderBy(asc(calls.leaseUntil))
    .limit(limit);
}

/** Takes over a silent call; undefined where another process was faster or its owner came back. */
export async function takeOver(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  now: Date,
  lease: Lease,
): Promise<CallRow | undefined> {
  const [row] = await db
    .update(calls)
    .set({
      leaseOwner: lease.owner,
      leaseUntil: lease.until,
      recoveryAttempts: sql`${calls.recoveryAttempts} + 1`,
      updatedAt: now,
    })
    .where(
      and(
        eq(calls.id, callId),
        eq(calls.workspaceId, workspaceId),
        ne(calls.status, 'ended'),
        or(isNull(calls.leaseUntil), lte(calls.leaseUntil, now)),
      ),
    )
    .returning();
  return row;
}

/** Keeps the leases of this process alive. Gives back the ids it still holds. */
export async function renewLeases(db: Database, callIds: readonly string[], lease: Lease): Promise<string[]> {
  if (callIds.length === 0) return [];
  const rows = await db
    .update(calls)
    .set({ leaseUntil: lease.until })
    .where(and(isOneOf(callIds), isOwnedBy(lease.owner)))
    .returning({ id: calls.id });
  return rows.map((row) => row.id);
}

/** Gives a claimed call back that was not dialled. */
export async function releaseLease(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  owner: string,
): Promise<void> {
  await db
    .update(calls)
    .set({ leaseOwner: null, leaseUntil: null })
    .where(
      and(
        eq(calls.id, callId),
        eq(calls.workspaceId, workspaceId),
        isOwnedBy(owner),
        eq(calls.status, 'queued'),
      ),
    );
}

/** Gives a claimed call back that must not be dialled before another moment, and writes that on its timeline. */
export async function postponeCall(
  db: Database,
  workspaceId: WorkspaceId,
  postponed: {
    callId: string;
    owner: string;
    at: Date;
    notBefore: Date | null;
    notBeforeZone: string | null;
  },
): Promise<void> {
  const { callId, owner, at, notBefore, notBeforeZone } = postponed;
  const given = db
    .update(calls)
    .set({ leaseOwner: null, leaseUntil: null, notBefore, notBeforeZone })
    .where(
      and(
        eq(calls.id, callId),
        eq(calls.workspaceId, workspaceId),
        isOwnedBy(owner),
        eq(calls.statusRank, 0),
      ),
    )
    .returning({ id: calls.id });
  const data = { until: notBefore?.toISOString() ?? null, timeZone: notBeforeZone };
  const event = insertEventWhere(
    workspaceId,
    { callId, type: 'call.postponed', data, at },
    sql`exists (select from given)`,
  );
  await queryRows(db, sql`with given as ${given} ${event} returning id`);
}

/** Ends every lease at once: on the embedded database whoever held one before this start is gone. */
export async function expireAllLeases(db: Database, now: Date): Promise<void> {
  await db
    .update(calls)
    .set({ leaseUntil: now })
    .where(and(isNotNull(calls.leaseOwner), ne(calls.status, 'ended')));
}
