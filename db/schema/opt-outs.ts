import { index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { OPT_OUT_SOURCES } from '#lib/features/opt-outs/rules.ts';
import { createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Numbers that a workspace does not call again. Calls from them are taken. */
export const optOuts = pgTable(
  'opt_outs',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** E.164, as calls store who is called. */
    number: text('number').notNull(),
    source: text('source', { enum: OPT_OUT_SOURCES }).notNull(),
    /** E-mail address, name of the key, or the part of the service. */
    addedBy: text('added_by').notNull(),
    /** The call on which it was asked for. No foreign key: it is written while the call still runs. */
    callId: text('call_id'),
    note: text('note'),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.workspaceId, table.number] }),
    index('opt_outs_latest').on(table.workspaceId, table.createdAt, table.number),
  ],
);
