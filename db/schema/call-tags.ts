import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { calls } from './calls.ts';
import { dateTime } from './columns.ts';

/**
 * The tags of ended conversations, one row each, in the order of the list: those with a rare tag are found without passing
 * the others. Written by a trigger alone (drizzle/0021_call_tags_trigger.sql).
 */
export const callTags = pgTable(
  'call_tags',
  {
    callId: text('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    tag: text('tag').notNull(),
    workspaceId: text('workspace_id').notNull(),
    agentId: text('agent_id').notNull(),
    /** `call_facet` of the call. */
    facet: text('facet').notNull(),
    dateInitiated: dateTime('date_initiated').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.tag] }),
    index('call_tags_list').on(
      table.workspaceId,
      table.tag,
      table.dateInitiated,
      table.callId,
      table.agentId,
      table.facet,
    ),
  ],
);
