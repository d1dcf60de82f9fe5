import { and, desc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { DeliveryRow } from '../repository.ts';

export type LogFilter = {
  status?: 'failed' | 'delivered' | 'open' | undefined;
  kind?: DeliveryRow['kind'] | undefined;
  callId?: string | undefined;
};

/** Where a page ended: the time and id of its last row. */
export type LogPosition = { createdAt: Date; id: string };

const STATUSES_OF = {
  failed: ['failed', 'unknown'],
  delivered: ['delivered'],
  open: ['pending', 'sending'],
} as const;

/** Latest first, `limit` rows after `after`. */
export async function listDeliveries(
  db: Database,
  workspaceId: WorkspaceId,
  given: { filter: LogFilter; limit: number; after: LogPosition | undefined },
): Promise<DeliveryRow[]> {
  return db
    .select()
    .from(webhookDeliveries)
    .where(and(...conditions(workspaceId, given.filter), given.after && isAfter(given.after)))
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(given.limit);
}

/** The last finished sends about calls, without the test events that somebody asked for. */
export async function listLastFinished(db: Database, workspaceId: WorkspaceId, limit: number) {
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.workspaceId, workspaceId),
        inArray(webhookDeliveries.status, ['delivered', 'failed', 'unknown']),
        inArray(webhookDeliveries.kind, ['call', 'resend']),
      ),
    )
    .orderBy(desc(webhookDeliveries.createdAt), desc(webhookDeliveries.id))
    .limit(limit);
}

function conditions(workspaceId: WorkspaceId, filter: LogFilter): (SQL | undefined)[] {
  return [
    eq(webhookDeliveries.workspaceId, workspaceId),
    filter.status && inArray(webhookDeliveries.status, [...STATUSES_OF[filter.status]]),
    filter.kind && eq(webhookDeliveries.kind, filter.kind),
    filter.callId === undefined ? undefined : eq(webhookDeliveries.callId, filter.callId),
  ];
}

function isAfter(position: LogPosition): SQL {
  const createdAt = sql`${position.createdAt.toISOString()}::timestamptz`;
  return sql`(${webhookDeliveries.createdAt}, ${webhookDeliveries.id}) < (${createdAt}, ${position.id})`;
}
