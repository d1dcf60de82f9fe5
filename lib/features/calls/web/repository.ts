import { and, eq, gt, isNull, lt, type SQL } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type WebCallRow = typeof webCalls.$inferSelect;
type CallStatus = (typeof calls.$inferSelect)['status'];

export async function insertWebCall(
  db: Database,
  workspaceId: WorkspaceId,
  call: Omit<typeof webCalls.$inferInsert, 'workspaceId'>,
): Promise<void> {
  await db.insert(webCalls).values({ ...call, workspaceId });
}

/**
 * The prepared call that a ticket opens, whosever it is: the ticket is what its holder may do. `status`: of the call that
 * it became; null before, and where it was deleted.
 */
export async function findWebCallByTicket(
  db: Database,
  callId: string,
  ticketHash: string,
): Promise<{ prepared: WebCallRow; status: CallStatus | null } | undefined> {
  const [row] = await db
    .select({ prepared: webCalls, status: calls.status })
    .from(webCalls)
    .leftJoin(calls, eq(calls.id, webCalls.id))
    .where(and(eq(webCalls.id, callId), eq(webCalls.ticketHash, ticketHash)));
  return row;
}

type Renewal = { ticketHash: string; nextTicketHash: string; origin: string | null };

/** Takes a prepared call; false where another connection was first or its time is over. */
export async function takeWebCall(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  { now, ...renewal }: Renewal & { now: Date },
): Promise<boolean> {
  const isFirst = and(isNull(webCalls.takenAt), gt(webCalls.expiresAt, now));
  return renew(db, { workspaceId, callId, renewal, where: isFirst, set: { takenAt: now } });
}

/** Puts another ticket in the place of the one that was used; false where another connection has used it as well. */
export async function renewTicket(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
  renewal: Renewal,
): Promise<boolean> {
  return renew(db, { workspaceId, callId, renewal });
}

async function renew(
  db: Database,
  change: {
    workspaceId: WorkspaceId;
    callId: string;
    renewal: Renewal;
    where?: SQL | undefined;
    set?: { takenAt: Date };
  },
): Promise<boolean> {
  const { workspaceId, callId, renewal, where, set } = change;
  const rows = await db
    .update(webCalls)
    .set({ ...set, ticketHash: renewal.nextTicketHash, origin: renewal.origin })
    .where(
      and(
        eq(webCalls.id, callId),
        eq(webCalls.workspaceId, workspaceId),
        eq(webCalls.ticketHash, renewal.ticketHash),
        where,
      ),
    )
    .returning({ id: webCalls.id });
  return rows.length > 0;
}

/** Forgets prepared calls of every workspace that were made before `before`. */
export async function forgetWebCallsBefore(db: Database, before: Date): Promise<void> {
  await db.delete(webCalls).where(lt(webCalls.createdAt, before));
}
