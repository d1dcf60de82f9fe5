import { index, pgTable, text } from 'drizzle-orm/pg-core';
import { calls } from './calls.ts';
import { createdAt, dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** What people of the workspace wrote down about a call. */
export const callNotes = pgTable(
  'call_notes',
  {
    id: text('id').primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** No foreign key: a note outlives the account of its author. `author` is the e-mail address then. */
    authorId: text('author_id').notNull(),
    author: text('author').notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
    editedAt: dateTime('edited_at'),
  },
  (table) => [index('call_notes_call').on(table.callId, table.createdAt)],
);
