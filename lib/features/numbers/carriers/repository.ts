import { eq, gte, lt } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { carrierStates } from '#db/schema/numbers.ts';

export type CarrierStateRow = typeof carrierStates.$inferSelect;

/** What one process says of one of its carriers, in place of what it said before. */
export async function saveCarrierState(db: Database, row: CarrierStateRow): Promise<void> {
  const { state, reason, since, seenAt } = row;
  await db
    .insert(carrierStates)
    .values(row)
    .onConflictDoUpdate({
      target: [carrierStates.carrier, carrierStates.owner],
      set: { state, reason, since, seenAt },
    });
}

/** The process is still there, with all its carriers. Forgets processes that were not seen since `goneBefore`. */
export async function renewCarrierStates(
  db: Database,
  { owner, at, goneBefore }: { owner: string; at: Date; goneBefore: Date },
): Promise<void> {
  await db.update(carrierStates).set({ seenAt: at }).where(eq(carrierStates.owner, owner));
  await db.delete(carrierStates).where(lt(carrierStates.seenAt, goneBefore));
}

export async function removeCarrierStates(db: Database, owner: string): Promise<void> {
  await db.delete(carrierStates).where(eq(carrierStates.owner, owner));
}

/** Of all processes that were seen since then. */
export async function listCarrierStates(db: Database, seenSince: Date): Promise<CarrierStateRow[]> {
  return db.select().from(carrierStates).where(gte(carrierStates.seenAt, seenSince));
}
