import { sql } from 'drizzle-orm';
import { bigserial, index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { createdAt, dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const apiKeys = pgTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    /** SHA-256 of the key, hex; the key itself is shown once and never stored. */
    hash: text('hash').notNull().unique(),
    lastFour: text('last_four').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: createdAt(),
    lastUsedAt: dateTime('last_used_at'),
    revokedAt: dateTime('revoked_at'),
  },
  (table) => [index('api_keys_workspace').on(table.workspaceId)],
);

/** Who changed what, when. Written in the transaction of the change. */
export const auditEvents = pgTable(
  'audit_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    actorKind: text('actor_kind', { enum: ['api_key', 'user', 'system'] }).notNull(),
    actorId: text('actor_id').notNull(),
    actorLabel: text('actor_label').notNull(),
    /** Verb and noun, e.g. `agent.settings.updated`. */
    action: text('action').notNull(),
    targetId: text('target_id'),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    at: dateTime('at').notNull(),
    /** Of what repeats (wrong passwords, a recording played): one row an interval, which counts. */
    repeatKey: text('repeat_key'),
  },
  (table) => [
    index('audit_events_workspace').on(table.workspaceId, table.id),
    // Numbers and tags are taken out of them when the conversation is deleted.
    index('audit_events_of_calls')
      .on(table.targetId)
      .where(sql`action in ('call.placed', 'call.tag.added', 'call.tag.removed')`),
    uniqueIndex('audit_events_repeat').on(table.workspaceId, table.repeatKey),
  ],
);
