import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { auditEvents } from '#db/schema/keys.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

type NewEvent = Omit<typeof auditEvents.$inferInsert, 'id' | 'workspaceId'>;

export async function insertAuditEvent(
  db: Database,
  workspaceId: WorkspaceId,
  event: NewEvent,
): Promise<void> {
  await db.insert(auditEvents).values({ ...event, workspaceId });
}

/** Latest first; `beforeId` is the last id of the page before. */
export async function listAuditEvents(
  db: Database,
  workspaceId: WorkspaceId,
  page: {
    limit: number;
    beforeId: number | undefined;
    action: string | undefined;
    targetId: string | undefined;
  },
) {
  return db
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.workspaceId, workspaceId),
        page.beforeId === undefined ? undefined : lt(auditEvents.id, page.beforeId),
        page.action ? sql`starts_with(${auditEvents.action}, ${page.action})` : undefined,
        page.targetId === undefined ? undefined : eq(auditEvents.targetId, page.targetId),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(page.limit);
}

/** The log still says who placed and tagged these calls and when, but no longer which number and which words. */
export async function forgetContentOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  await tx
    .update(auditEvents)
    .set({ data: sql`${auditEvents.data} - 'humanPhoneNumber' - 'tag'` })
    .where(
      and(
        eq(auditEvents.workspaceId, workspaceId),
        // As the index has it; parameters in its place would not use it.
        sql`${auditEvents.action} in ('call.placed', 'call.tag.added', 'call.tag.removed')`,
        inArray(auditEvents.targetId, [...callIds]),
      ),
    );
}
