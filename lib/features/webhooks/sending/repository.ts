import { and, eq, isNotNull, lt, notInArray, or, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { EndedCall } from '../rules.ts';

// The sender works for every workspace at once; each row brings its workspace along, and what is written is
// written by the id of the delivery together with that workspace.

/** A delivery that waits, with all that its body is made of. */
export type WaitingDelivery = {
  id: string;
  workspaceId: WorkspaceId;
  kind: 'call' | 'resend' | 'test';
  url: string;
  secret: string;
  createdAt: Date;
  call: EndedCall;
};

/**
 * Deliveries that wait, the oldest of every workspace before the second oldest of any, so that one workspace's
 * backlog stands in nobody's way.
 */
export async function listWaiting(
  db: Database,
  given: { limit: number; limitPerWorkspace: number; withoutWorkspaces: string[]; withoutIds: string[] },
): Promise<WaitingDelivery[]> {
  const waiting = db
    .select({
      id: webhookDeliveries.id,
      place: sql<number>`row_number() over (partition by ${webhookDeliveries.workspaceId}
        order by ${webhookDeliveries.createdAt}, ${webhookDeliveries.id})`.as('place'),
    })
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.status, 'pending'),
        given.withoutWorkspaces.length > 0
          ? notInArray(webhookDeliveries.workspaceId, given.withoutWorkspaces)
          : undefined,
        given.withoutIds.length > 0 ? notInArray(webhookDeliveries.id, given.withoutIds) : undefined,
      ),
    )
    .as('waiting');
  const rows = await db
    .select({ delivery: webhookDeliveries, call: calls, secret: workspaces.webhookSecret })
    .from(waiting)
    .innerJoin(webhookDeliveries, eq(webhookDeliveries.id, waiting.id))
    .innerJoin(calls, eq(calls.id, webhookDeliveries.callId))
    .innerJoin(workspaces, eq(workspaces.id, webhookDeliveries.workspaceId))
    .where(sql`${waiting.place} <= ${given.limitPerWorkspace}`)
    .orderBy(waiting.place, webhookDeliveries.createdAt)
    .limit(given.limit);
  return rows.map(({ delivery, call, secret }) => ({
    id: delivery.id,
    workspaceId: mintWorkspaceId(delivery.workspaceId),
    kind: delivery.kind,
    url: delivery.url,
    secret,
    createdAt: delivery.createdAt,
    call,
  }));
}

export type Claim = {
  id: string;
  workspaceId: WorkspaceId;
  secret: string;
  body: Uint8Array;
  signature: string;
  sendingAt: Date;
};

/**
 * The fence: commits what is about to be sent, and to nobody but the first who asks. False where somebody else was
 * first, or where the secret was replaced meanwhile (then the delivery waits on, to be signed with the new one).
 */
export async function claimDelivery(db: Database, claim: Claim): Promise<boolean> {
  const rows = await db
    .update(webhookDeliveries)
    .set({ status: 'sending', body: claim.body, signature: claim.signature, sendingAt: claim.sendingAt })
    .from(workspaces)
    .where(
      and(
        eq(webhookDeliveries.id, claim.id),
        eq(webhookDeliveries.workspaceId, claim.workspaceId),
        eq(webhookDeliveries.status, 'pending'),
        eq(workspaces.id, webhookDeliveries.workspaceId),
        eq(workspaces.webhookSecret, claim.secret),
      ),
    )
    .returning({ id: webhookDeliveries.id });
  return rows.length > 0;
}

export type DeliveryResult = {
  status: 'delivered' | 'failed';
  resolvedIp: string | null;
  responseStatus: number | null;
  responseHeaders: Record<string, string> | null;
  responseBody: Uint8Array | null;
  responseTruncated: boolean;
  durationMs: number;
  error: string | null;
  finishedAt: Date;
};

/**
 * Records how a send ended, and says so on the call's timeline. A late result replaces `unknown`, never another
 * result. One statement, because 200 results a second would otherwise be 800 round trips.
 */
export async function recordResult(
  db: Database,
  workspaceId: WorkspaceId,
  deliveryId: string,
  result: DeliveryResult,
): Promise<void> {
  const finishedAt = sql`${result.finishedAt.toISOString()}::timestamptz`;
  const headers = result.responseHeaders === null ? null : JSON.stringify(result.responseHeaders);
  const type = result.status === 'delivered' ? 'webhook_delivered' : 'webhook_failed';
  const data = { deliveryId, responseStatus: result.responseStatus, error: result.error };
  await db.execute(sql`
    with done as (
      update webhook_deliveries set
        status = ${result.status}, resolved_ip = ${result.resolvedIp}, response_status = ${result.responseStatus}::int,
        response_headers = ${headers}::jsonb, response_body = ${result.responseBody}::bytea,
        response_truncated = ${result.responseTruncated}::boolean, duration_ms = ${result.durationMs}::int,
        error = ${result.error}, finished_at = ${finishedAt}
      where id = ${deliveryId} and workspace_id = ${workspaceId} and status in ('sending', 'unknown')
      returning call_id, workspace_id, kind
    )
    insert into call_events (call_id, workspace_id, type, data, at)
    select call_id, workspace_id, ${type}, ${JSON.stringify(data)}::jsonb || jsonb_build_object('kind', kind), ${finishedAt}
    from done where call_id is not null`);
}

export const UNKNOWN_REASON =
  'The service stopped while it was sending; nobody can tell whether the webhook was sent.';

/**
 * Closes deliveries whose sender never came back: they stay unsent by us for ever, because they may have been sent.
 * Gives back how many.
 */
export async function closeAbandoned(
  db: Database,
  given: { sendingBefore: Date; now: Date },
): Promise<number> {
  const now = sql`${given.now.toISOString()}::timestamptz`;
  const rows = await queryRows(
    db,
    sql`
    with gone as (
      update webhook_deliveries set status = 'unknown', error = ${UNKNOWN_REASON}, finished_at = ${now}
      where status = 'sending' and sending_at <= ${given.sendingBefore.toISOString()}::timestamptz
      returning id, call_id, workspace_id, kind
    ), told as (
      insert into call_events (call_id, workspace_id, type, data, at)
      select call_id, workspace_id, 'webhook_unknown',
        jsonb_build_object('deliveryId', id, 'error', ${UNKNOWN_REASON}::text, 'kind', kind), ${now}
      from gone where call_id is not null
    )
    select id from gone`,
  );
  return rows.length;
}

/** Drops bodies, signatures and answers from before `before`; what stays is that and how it was sent. */
export async function dropOldBodies(db: Database, before: Date): Promise<void> {
  await db
    .update(webhookDeliveries)
    .set({ body: null, signature: null, responseBody: null, responseHeaders: null })
    .where(
      and(
        lt(webhookDeliveries.createdAt, before),
        or(isNotNull(webhookDeliveries.body), isNotNull(webhookDeliveries.responseBody)),
      ),
    );
}
