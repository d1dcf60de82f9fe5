import { and, count, eq, inArray, isNotNull, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';
import { findNumberWithAgent } from '#lib/features/numbers/repository.ts';
import { lockWorkspace } from '#lib/features/workspaces/repository.ts';
import { insertReservedCall, type NewCallRow } from '../repository.ts';

/**
 * Writes a call that came in, already leased, and reserves the first minute. Takes turns with the claims of the
 * workspace (db/functions.sql), so that calls out and calls in together cannot pass its limits.
 *
 * @returns why it may not come in, with nothing written, and the limit that was reached; undefined where it did.
 */
export async function insertIncomingCall(
  tx: Database,
  workspaceId: WorkspaceId,
  call: NewCallRow,
): Promise<
  { reason: 'at_capacity'; of: 'workspace' | 'number'; most: number } | { reason: 'usage_limit' } | undefined
> {
  const workspace = await lockWorkspace(tx, workspaceId);
  const found = call.phoneNumberId
    ? await findNumberWithAgent(tx, workspaceId, call.phoneNumberId)
    : undefined;
  const ofNumber = sql`count(*) filter (where ${calls.phoneNumberId} = ${call.phoneNumberId ?? null})`;
  const [inUse] = await tx
    .select({ all: count(), ofNumber: ofNumber.mapWith(Number) })
    .from(calls)
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        isNotNull(calls.leaseOwner),
        inArray(calls.status, ['queued', 'dialing', 'ringing', 'in_progress']),
      ),
    );
  const isFull = (most: number, used = 0) => used >= most;
  const most = workspace?.maxConcurrentCalls ?? 0;
  if (isFull(most, inUse?.all)) return { reason: 'at_capacity', of: 'workspace', most };
  if (found && isFull(found.number.maxConcurrentCalls, inUse?.ofNumber))
    return { reason: 'at_capacity', of: 'number', most: found.number.maxConcurrentCalls };
  const isWritten = await insertReservedCall(tx, workspaceId, call, 'come_in');
  return isWritten ? undefined : { reason: 'usage_limit' };
}

/** The call that a carrier brought under this reference before, of the workspace whose number was called. */
export async function findBroughtCall(
  db: Database,
  workspaceId: WorkspaceId,
  { carrier, reference }: { carrier: CarrierKind; reference: string },
): Promise<{ id: string; isOpen: boolean } | undefined> {
  const [row] = await db
    .select({ id: calls.id, status: calls.status })
    .from(calls)
    .where(
      and(
        eq(calls.workspaceId, workspaceId),
        eq(calls.carrier, carrier),
        eq(calls.carrierReference, reference),
        // So that the index of references is the one that fits.
        isNotNull(calls.carrierReference),
      ),
    );
  return row && { id: row.id, isOpen: row.status === 'ringing' || row.status === 'in_progress' };
}
