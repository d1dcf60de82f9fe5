import { and, asc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { LINE_STATES } from '../machine.ts';
import type { CallRow } from '../repository.ts';

type Lease = { owner: string; until: Date };

const others = alias(calls, 'others');

/** Calls that hold a line now: dialled ones, and queued ones that a process is about to dial. */
function takesLine(table: typeof calls | typeof others, now: Date): SQL | undefined {
  return or(
    inArray(table.status, [...LINE_STATES]),
    and(eq(table.status, 'queued'), gt(table.leaseUntil, now)),
  );
}

function isUnclaimed(now: Date): SQL | undefined {
  return and(eq(calls.status, 'queued'), or(isNull(calls.leaseUntil), lte(calls.leaseUntil, now)));
}

/**
 * Leases the oldest queued call of a workspace whose lines are free, by the limits of the workspace and of the
 * number; undefined where none may start. The workspace's row is locked, so claims of one workspace take turns and
 * the limits cannot be passed. The lease alone dials nobody.
 */
export async function claimOldestCall(
  db: Database,
  workspaceId: WorkspaceId,
  now: Date,
  lease: Lease,
): Promise<CallRow | undefined> {
  return db.transaction(async (tx) => {
    const [workspace] = await tx
      .select({ maxConcurrentCalls: workspaces.maxConcurrentCalls })
      .from(workspaces)
      .where(eq(workspaces.id, workspaceId))
      .for('no key update');
    if (!workspace) return undefined;
    const inUse = await tx.$count(calls, and(eq(calls.workspaceId, workspaceId), takesLine(calls, now)));
    if (inUse >= workspace.maxConcurrentCalls) return undefined;
    const [oldest] = await tx
      .select({ id: calls.id })
      .from(calls)
      .leftJoin(phoneNumbers, eq(phoneNumbers.id, calls.phoneNumberId))
      .where(and(eq(calls.workspaceId, workspaceId), isUnclaimed(now), hasFreeNumber(tx, now)))
      .orderBy(asc(calls.createdAt), asc(calls.id))
      .limit(1);
    if (!oldest) return undefined;
    const [claimed] = await tx
      .update(calls)
      .set({ leaseOwner: lease.owner, leaseUntil: lease.until, dateInitiated: now, updatedAt: now })
      .where(and(eq(calls.id, oldest.id), isUnclaimed(now)))
      .returning();
    return claimed;
  });
}

function hasFreeNumber(tx: Database, now: Date): SQL | undefined {
  const inUse = tx
    .select({ count: sql`count(*)` })
    .from(others)
    .where(and(eq(others.phoneNumberId, calls.phoneNumberId), takesLine(others, now)));
  return or(isNull(phoneNumbers.id), sql`(${inUse}) < ${phoneNumbers.maxConcurrentCalls}`);
}

/** Workspaces in which a queued call waits for somebody to take it. Asked by the sweep, for every workspace. */
export async function listWorkspacesWithWaitingCalls(db: Database, now: Date): Promise<string[]> {
  const rows = await db
    .selectDistinct({ workspaceId: calls.workspaceId })
    .from(calls)
    .where(isUnclaimed(now));
  return rows.map((row) => row.workspaceId);
}

/** Calls that were dialled and whose process has gone silent, of every workspace, longest silent first. */
export async function listOrphans(db: Database, now: Date, limit: number) {
  return db
    .select({ id: calls.id, workspaceId: calls.workspaceId, leaseOwner: calls.leaseOwner })
    .from(calls)
    .where(
      and(
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
    .set({ leaseOwner: lease.owner, leaseUntil: lease.until, updatedAt: now })
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
    .where(and(inArray(calls.id, [...callIds]), eq(calls.leaseOwner, lease.owner)))
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
        eq(calls.leaseOwner, owner),
        eq(calls.status, 'queued'),
      ),
    );
}

/** Ends every lease at once: on the embedded database whoever held one before this start is gone. */
export async function expireAllLeases(db: Database, now: Date): Promise<void> {
  await db
    .update(calls)
    .set({ leaseUntil: now })
    .where(and(ne(calls.status, 'ended'), isNotNull(calls.leaseOwner)));
}
