import { and, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { CALL_STATUSES, callEvents, calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { type CallStatus, type CallTrigger, next } from './machine.ts';

export type CallRow = typeof calls.$inferSelect;
type NewCall = Omit<typeof calls.$inferInsert, 'workspaceId' | 'status' | 'statusRank'>;

export function rankOf(status: CallStatus): number {
  return CALL_STATUSES.indexOf(status);
}

/** Accepts a call: the row and the first event of its timeline. Run it in the transaction that holds its minute. */
export async function insertCall(tx: Database, workspaceId: WorkspaceId, call: NewCall): Promise<void> {
  await tx.insert(calls).values({ ...call, workspaceId, status: 'queued', statusRank: rankOf('queued') });
  await insertCallEvent(tx, workspaceId, {
    callId: call.id,
    type: 'call.queued',
    data: {},
    at: call.createdAt,
  });
}

export async function insertCallEvent(
  db: Database,
  workspaceId: WorkspaceId,
  event: { callId: string; type: string; data: Record<string, unknown>; at: Date },
): Promise<void> {
  await db.insert(callEvents).values({ ...event, workspaceId });
}

export async function findCall(db: Database, workspaceId: WorkspaceId, callId: string): Promise<CallRow> {
  const [row] = await db.select().from(calls).where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Call');
}

export type CallMove = {
  callId: string;
  from: CallStatus;
  trigger: CallTrigger;
  at: Date;
  /** The process that must still hold the lease; null where the move is not a worker's. */
  owner: string | null;
  fields?: Partial<typeof calls.$inferInsert>;
  /** For the timeline. */
  data?: Record<string, unknown>;
};

/**
 * Moves a call by its state machine and writes the event, in the given transaction. Gives back the new state, or
 * undefined where the call is no longer in `from` or no longer ours: whoever moved it goes on with it.
 */
export async function moveCall(
  tx: Database,
  workspaceId: WorkspaceId,
  move: CallMove,
): Promise<CallStatus | undefined> {
  const transition = next(move.from, move.trigger);
  if (!transition.ok) throw new Error(transition.reason);
  const status = transition.state;
  const moved = await tx
    .update(calls)
    .set({ ...move.fields, status, statusRank: rankOf(status), updatedAt: move.at })
    .where(
      and(
        eq(calls.id, move.callId),
        eq(calls.workspaceId, workspaceId),
        eq(calls.status, move.from),
        move.owner === null ? undefined : eq(calls.leaseOwner, move.owner),
      ),
    )
    .returning({ id: calls.id });
  if (moved.length === 0) return undefined;
  await insertCallEvent(tx, workspaceId, {
    callId: move.callId,
    type: `call.${status}`,
    data: { ...move.data },
    at: move.at,
  });
  return status;
}
