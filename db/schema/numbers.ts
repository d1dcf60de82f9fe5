import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { NUMBER_CARRIERS } from '#lib/ports/carrier-kinds.ts';
import { agents } from './agents.ts';
import { createdAt, updatedAt } from './columns.ts';
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
