import { and, eq, isNull, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { usageMonths, workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { MINUTE_SECONDS } from './rules.ts';

/**
 * Holds `seconds` of the month's limit; false, holding nothing, where they do not fit. One statement checks and
 * holds, and the row lock makes racing requests take turns: the limit cannot be passed.
 */
export async function reserveSeconds(
  db: Database,
  workspaceId: WorkspaceId,
  month: string,
  seconds: number,
): Promise<boolean> {
  await db.insert(usageMonths).values({ workspaceId, month }).onConflictDoNothing();
  const limit = db
    .select({ minutes: workspaces.monthlyUsageLimitMinutes })
    .from(workspaces)
    .where(eq(workspaces.id, workspaceId));
  const held = await db
    .update(usageMonths)
    .set({ reservedSeconds: sql`${usageMonths.reservedSeconds} + ${seconds}` })
    .where(
      and(
        eq(usageMonths.workspaceId, workspaceId),
        eq(usageMonths.month, month),
        or(
          isNull(sql`(${limit})`),
          sql`${usageMonths.usedSeconds} + ${usageMonths.reservedSeconds} + ${seconds} <= (${limit}) * ${MINUTE_SECONDS}`,
        ),
      ),
    )
    .returning({ month: usageMonths.month });
  return held.length > 0;
}

/** Gives back what a call held and books what it used. */
export async function settleSeconds(
  db: Database,
  workspaceId: WorkspaceId,
  settled: { month: string; reservedSeconds: number; usedSeconds: number },
): Promise<void> {
  await db
    .update(usageMonths)
    .set({
      reservedSeconds: sql`greatest(0, ${usageMonths.reservedSeconds} - ${settled.reservedSeconds})`,
      usedSeconds: sql`${usageMonths.usedSeconds} + ${settled.usedSeconds}`,
    })
    .where(and(eq(usageMonths.workspaceId, workspaceId), eq(usageMonths.month, settled.month)));
}
