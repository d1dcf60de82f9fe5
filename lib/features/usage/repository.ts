import { and, eq, type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { MINUTE_SECONDS, type UsedBy } from './rules.ts';

type Reserved = { month: string; seconds: number; usedBy: UsedBy };

/** In which workspaces the limit holds for such a call. */
const IS_LIMITED: Record<UsedBy, SQL> = {
  outbound: sql`monthly_usage_limit_minutes is not null`,
  incoming: sql`monthly_usage_limit_minutes is not null and refuses_incoming_at_limit`,
  test: sql`false`,
};

/**
 * A statement that reserves seconds of a month's limit and returns the month, or nothing where they do not fit. It
 * checks and reserves at once, and the row's lock makes racing ones take turns: where it holds, the limit cannot be passed.
 */
export function reservation(workspaceId: WorkspaceId, { month, seconds, usedBy }: Reserved): SQL {
  const isLimited = IS_LIMITED[usedBy];
  return sql`
    insert into usage_months as months (workspace_id, month, reserved_seconds)
    select id, ${month}, ${seconds}::int from workspaces
    where id = ${workspaceId} and (not (${isLimited}) or ${seconds} <= monthly_usage_limit_minutes * ${MINUTE_SECONDS})
    on conflict (workspace_id, month) do update set reserved_seconds = months.reserved_seconds + excluded.reserved_seconds
    where months.used_seconds + months.reserved_seconds + excluded.reserved_seconds <= coalesce(
      (select monthly_usage_limit_minutes from workspaces where id = ${workspaceId} and ${isLimited})::bigint * ${MINUTE_SECONDS},
      ${Number.MAX_SAFE_INTEGER}::bigint)
    returning month`;
}

/** Reserves seconds of a month's limit; false, reserving nothing, where they do not fit. */
export async function reserveSeconds(
  db: Database,
  workspaceId: WorkspaceId,
  reserved: Reserved,
): Promise<boolean> {
  return (await queryRows(db, reservation(workspaceId, reserved))).length > 0;
}

export type SettledSeconds = { month: string; reservedSeconds: number; usedSeconds: number };

/** A statement that gives back what a call reserved and books what it used, where the condition holds. */
export function settlement(
  db: Database,
  workspaceId: WorkspaceId,
  settled: SettledSeconds,
  condition: SQL = sql`true`,
) {
  return db
    .update(usageMonths)
    .set({
      reservedSeconds: sql`greatest(0, ${usageMonths.reservedSeconds} - ${settled.reservedSeconds})`,
      usedSeconds: sql`${usageMonths.usedSeconds} + ${settled.usedSeconds}`,
    })
    .where(and(eq(usageMonths.workspaceId, workspaceId), eq(usageMonths.month, settled.month), condition));
}

/** What a workspace used in a month, and what its running calls reserved. */
export async function findUsage(db: Database, workspaceId: WorkspaceId, month: string) {
  const [row] = await db
    .select({ usedSeconds: usageMonths.usedSeconds, reservedSeconds: usageMonths.reservedSeconds })
    .from(usageMonths)
    .where(and(eq(usageMonths.workspaceId, workspaceId), eq(usageMonths.month, month)));
  return row ?? { usedSeconds: 0, reservedSeconds: 0 };
}
