import { boolean, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { calls } from './calls.ts';
import { dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * Which processes show a call to people while another one runs it, until when, and whether they want its sound: the process
 * that runs the call looks here whom it tells. A process that goes on showing it renews its row.
 */
export const callWatches = pgTable(
  'call_watches',
  {
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    process: text('process').notNull(),
    hasSound: boolean('has_sound').notNull(),
    until: dateTime('until').notNull(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.process] })],
);
