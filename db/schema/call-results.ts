import { doublePrecision, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { FIELD_TYPES } from '#lib/features/agents/results/rules.ts';
import { calls } from './calls.ts';
import { dateTime } from './columns.ts';

/**
 * What ended conversations yielded, one row for each field, to be found by: `calls.results` has the words that each rests
 * on. Written by a trigger alone (`write_call_results` in drizzle/), and not for calls that never connected.
 */
export const callResults = pgTable(
  'call_results',
  {
    callId: text('call_id')
      .notNull()
      .references(() => calls.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    type: text('type', { enum: FIELD_TYPES }).notNull(),
    workspaceId: text('workspace_id').notNull(),
    agentId: text('agent_id').notNull(),
    /** `call_facet` of the call. */
    facet: text('facet').notNull(),
    dateInitiated: dateTime('date_initiated').notNull(),
    /** A number, the days since 1970 of a date, 1 and 0 of yes and no. */
    number: doublePrecision('number'),
    /** The first 200 characters of a text or a choice, in small letters. With both null, nothing was found. */
    word: text('word'),
  },
  (table) => [
    primaryKey({ columns: [table.callId, table.name] }),
    // In the order of the list, for what many have; and of an agent by value, for what few have.
    index('call_results_list').on(
      table.workspaceId,
      table.name,
      table.type,
      table.dateInitiated,
      table.callId,
      table.agentId,
      table.number,
      table.word,
      table.facet,
    ),
    index('call_results_value').on(
      table.workspaceId,
      table.agentId,
      table.name,
      table.type,
      table.word,
      table.number,
      table.dateInitiated,
      table.callId,
      table.facet,
    ),
  ],
);
