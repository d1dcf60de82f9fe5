import type { Actor } from '#lib/auth/actor.ts';
import { findWorkspaceWebhook } from '#lib/features/workspaces/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { DeliveryDetail, DeliverySummary } from '../contract.ts';
import { type DeliveryRow, findDelivery } from '../repository.ts';
import { requestHeaders, signBody } from '../rules.ts';
import { exportRows } from './export.ts';
import { listDeliveries, listLastFinished, type LogFilter, type LogPosition } from './repository.ts';
import { verifySnippetsOf } from './snippets.ts';

/** "A banner in the dashboard when the last 20 failed." */
const HEALTH_COUNT = 20;

/** What was sent and what came of it, for the dashboard. */
export function createWebhookLog(deps: Pick<Dependencies, 'db' | 'clock'>) {
  const { db } = deps;
  return {
    /** One page of the log, latest first. `nextCursor` is null on the last page. */
    async listDeliveries(
      actor: Actor,
      page: LogFilter & { limit: number; cursor?: string | undefined },
    ): Promise<{ deliveries: DeliverySummary[]; nextCursor: string | null }> {
      const after = page.cursor === undefined ? undefined : parseCursor(page.cursor);
      const rows = await listDeliveries(db, actor.workspaceId, {
        filter: page,
        limit: page.limit + 1,
        after,
      });
      const shown = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shown.at(-1) : undefined;
      return { deliveries: shown.map(summaryOf), nextCursor: last ? cursorOf(last) : null };
    },

    /** One delivery with the bytes that were sent, the answer, and programs to check the signature. Throws 403, 404. */
    async getDelivery(actor: Actor, deliveryId: string): Promise<DeliveryDetail> {
      const row = await findDelivery(db, actor.workspaceId, deliveryId);
      const { secret } = await findWorkspaceWebhook(db, actor.workspaceId);
      return detailOf(row, secret);
    },

    /** The filtered log as a file that is written while it is read. */
    exportDeliveries(actor: Actor, given: LogFilter & { format: 'csv' | 'jsonl' }): Response {
      const readPage = (after: LogPosition | undefined, limit: number) =>
        listDeliveries(db, actor.workspaceId, { filter: given, limit, after });
      const day = deps.clock.now().toISOString().slice(0, 10);
      return new Response(exportRows(readPage, given.format), {
        headers: {
          'content-type':
            given.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8',
          'content-disposition': `attachment; filename="webhooks-${day}.${given.format}"`,
          'cache-control': 'no-store',
        },
      });
    },

    /** Whether the last 20 webhooks about calls failed, all of them. */
    async getHealth(actor: Actor) {
      const rows = await listLastFinished(db, actor.workspaceId, HEALTH_COUNT);
      const failed = rows.filter((row) => row.status !== 'delivered');
      const lastFailure = failed[0];
      return {
        lastCount: rows.length,
        failedCount: failed.length,
        isFailing: rows.length === HEALTH_COUNT && failed.length === HEALTH_COUNT,
        lastFailure: lastFailure ? summaryOf(lastFailure) : null,
      };
    },
  };
}

export function summaryOf(row: DeliveryRow): DeliverySummary {
  return {
    id: row.id,
    kind: row.kind,
    requestedBy: row.requestedBy,
    status: row.status,
    callId: row.callId,
    url: row.url,
    resolvedIp: row.resolvedIp,
    responseStatus: row.responseStatus,
    durationMs: row.durationMs,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
    sendingAt: row.sendingAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** `currentSecret` only tells whether the signature was made with it; the answer never holds it. */
export function detailOf(row: DeliveryRow, currentSecret: string): DeliveryDetail {
  const { body, signature } = row;
  const isSigned = body !== null && signature !== null;
  return {
    ...summaryOf(row),
    body: body === null ? null : new TextDecoder().decode(body),
    bodySizeBytes: body?.byteLength ?? null,
    signature,
    requestHeaders: signature === null ? {} : requestHeaders(signature),
    responseHeaders: row.responseHeaders,
    responseBody: row.responseBody === null ? null : new TextDecoder().decode(row.responseBody),
    responseTruncated: row.responseTruncated,
    secretIsCurrent: isSigned && signBody(body, currentSecret) === signature,
    verify: isSigned ? verifySnippetsOf({ body, signature }) : null,
  };
}

function cursorOf(row: DeliveryRow): string {
  return `${row.createdAt.getTime()}_${row.id}`;
}

function parseCursor(cursor: string): LogPosition {
  const end = cursor.indexOf('_');
  return { createdAt: new Date(Number(cursor.slice(0, end))), id: cursor.slice(end + 1) };
}
