import { boolean, customType, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { sql } from 'drizzle-orm';
import { calls } from './calls.ts';
import { createdAt, dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** `unknown`: the process died between committing the attempt and recording its result; it is never sent again by itself. */
export const WEBHOOK_STATUSES = ['pending', 'sending', 'delivered', 'failed', 'unknown'] as const;

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    callId: text('call_id').references(() => calls.id),
    /** `call`: the one automatic send; `resend`: by a person; `test`: the test event. */
    kind: text('kind', { enum: ['call', 'resend', 'test'] }).notNull(),
    requestedBy: text('requested_by'),
    status: text('status', { enum: WEBHOOK_STATUSES }).notNull(),
    url: text('url').notNull(),
    /** The exact bytes that were signed and sent; dropped after 30 days. */
    body: bytea('body'),
    signature: text('signature'),
    resolvedIp: text('resolved_ip'),
    responseStatus: integer('response_status'),
    responseHeaders: jsonb('response_headers').$type<Record<string, string>>(),
    responseBody: bytea('response_body'),
    responseTruncated: boolean('response_truncated').notNull().default(false),
    durationMs: integer('duration_ms'),
    /** One sentence when it failed. */
    error: text('error'),
    createdAt: createdAt(),
    sendingAt: dateTime('sending_at'),
    finishedAt: dateTime('finished_at'),
  },
  (table) => [
    index('webhook_deliveries_workspace').on(table.workspaceId, table.createdAt),
    index('webhook_deliveries_call').on(table.callId),
    index('webhook_deliveries_open').on(table.status, table.sendingAt),
    // One automatic delivery per call, whatever runs twice.
    uniqueIndex('webhook_deliveries_once')
      .on(table.callId)
      .where(sql`kind = 'call'`),
  ],
);
