import { sql } from 'drizzle-orm';
import type { OpenDatabase } from './database.ts';
import { scheduledWork } from './schema/queue.ts';

/**
 * Whether this process does a piece of scheduled work now, or another one on the same database has begun with it. The time
 * until the next turn is a little shorter than `everyMs`, which a timer never keeps to the millisecond. By the clock
 * of the database, so that those of the machines need not agree.
 */
export async function takeTurn(
  { db, pglite }: Pick<OpenDatabase, 'db' | 'pglite'>,
  name: string,
  everyMs: number,
): Promise<boolean> {
  // There is no other process.
  if (pglite) return true;
  const nextAt = sql`now() + make_interval(secs => ${(everyMs * 0.9) / 1000})`;
  const taken = await db
    .insert(scheduledWork)
    .values({ name, nextAt })
    .onConflictDoUpdate({
      target: scheduledWork.name,
      set: { nextAt },
      setWhere: sql`${scheduledWork.nextAt} <= now()`,
    })
    .returning({ name: scheduledWork.name });
  return taken.length > 0;
}
