import { and, eq, gt, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callWatches } from '#db/schema/call-watches.ts';
import { calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type CallWatch = { callId: string; workspaceId: WorkspaceId; hasSound: boolean };

/** By the clock of the database: those of two machines differ. */
const inMs = (ms: number) => sql<Date>`now() + ${ms}::int * interval '1 millisecond'`;

/** Notes that a process shows these calls to people, for so long; what it noted of them before is replaced. */
export async function keepWatches(
  db: Database,
  watches: readonly CallWatch[],
  { process, forMs }: { process: string; forMs: number },
): Promise<void> {
  if (watches.length === 0) return;
  await db
    .insert(callWatches)
    .values(watches.map((watch) => ({ ...watch, process, until: inMs(forMs) })))
    .onConflictDoUpdate({
      target: [callWatches.callId, callWatches.process],
      set: { hasSound: sql`excluded.has_sound`, until: sql`excluded.until` },
    });
}

/** Nobody looks at the call in that process any more. */
export async function endWatch(
  db: Database,
  workspaceId: WorkspaceId,
  { callId, process }: { callId: string; process: string },
): Promise<void> {
  await db
    .delete(callWatches)
    .where(
      and(
        eq(callWatches.callId, callId),
        eq(callWatches.workspaceId, workspaceId),
        eq(callWatches.process, process),
      ),
    );
}

/** Who watches these calls, of any workspace. */
export async function listWatches(
  db: Database,
  callIds: readonly string[],
): Promise<{ callId: string; process: string; hasSound: boolean }[]> {
  if (callIds.length === 0) return [];
  return db
    .select({
      callId: callWatches.callId,
      process: callWatches.process,
      hasSound: callWatches.hasSound,
    })
    .from(callWatches)
    .where(and(inArray(callWatches.callId, [...callIds]), gt(callWatches.until, sql`now()`)));
}

/** Removes what processes left that are gone. */
export async function forgetWatches(db: Database): Promise<void> {
  await db.delete(callWatches).where(lt(callWatches.until, inMs(-60_000)));
}

/** Those of these calls, of any workspace, that are over. */
export async function listOver(db: Database, callIds: readonly string[]): Promise<string[]> {
  if (callIds.length === 0) return [];
  const rows = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(inArray(calls.id, [...callIds]), eq(calls.status, 'ended')));
  return rows.map(({ id }) => id);
}
