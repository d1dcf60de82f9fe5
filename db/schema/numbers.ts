import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { agents } from './agents.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const phoneNumbers = pgTable(
  'phone_numbers',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** E.164, exactly as callers of the API must write it. One workspace owns a number. */
    number: text('number').notNull().unique(),
    agentId: text('agent_id').references(() => agents.id, { onDelete: 'set null' }),
    carrier: text('carrier', { enum: NUMBER_CARRIERS }).notNull().default('simulated'),
    maxConcurrentCalls: integer('max_concurrent_calls').notNull().default(10),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('phone_numbers_workspace').on(table.workspaceId),
    index('phone_numbers_agent').on(table.agentId),
  ],
);

/** What each process that takes calls said last of its carriers. One that is gone says nothing any more (`seenAt`). */
export const carrierStates = pgTable(
  'carrier_states',
  {
    carrier: text('carrier', { enum: NUMBER_CARRIERS }).notNull(),
    owner: text('owner').notNull(),
    state: text('state', { enum: ['listening', 'registering', 'registered', 'failed'] }).notNull(),
    reason: text('reason'),
    since: dateTime('since').notNull(),
    seenAt: dateTime('seen_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.carrier, table.owner] })],
);
