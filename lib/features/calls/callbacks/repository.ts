import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callAttempts, calls, transferAttempts } from '#db/schema/calls.ts';
import type { CarrierKind } from '#lib/ports/carrier-kinds.ts';

const RUNNING = inArray(calls.status, ['dialing', 'ringing', 'in_progress']);

/** Whether a call that a carrier knows by this reference is still run, of any workspace: the carrier names none. */
export async function isLineRunning(db: Database, carrier: CarrierKind, reference: string): Promise<boolean> {
  const dialled = await db
    .select({ id: calls.id })
    .from(callAttempts)
    .innerJoin(calls, eq(calls.id, callAttempts.callId))
    .where(and(eq(callAttempts.reference, reference), eq(callAttempts.carrier, carrier), RUNNING));
  if (dialled.length > 0) return true;
  const handedTo = await db
    .select({ id: calls.id })
    .from(transferAttempts)
    .innerJoin(calls, eq(calls.id, transferAttempts.callId))
    .where(and(eq(transferAttempts.reference, reference), eq(transferAttempts.carrier, carrier), RUNNING));
  if (handedTo.length > 0) return true;
  const brought = and(
    eq(calls.carrier, carrier),
    eq(calls.carrierReference, reference),
    isNotNull(calls.carrierReference),
    RUNNING,
  );
  return (await db.$count(calls, brought)) > 0;
}
