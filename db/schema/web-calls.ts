import { boolean, index, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { agents } from './agents.ts';
import { createdAt, dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * A call over a WebSocket that was prepared for a browser or an app; `id` is the id of its conversation. Taken once,
 * by the first connection with its ticket; later ones come back to the same call, each with the ticket that the one
 * before was given.
 */
export const webCalls = pgTable(
  'web_calls',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    /** Null: the agent answers with its inbound prompt. */
    outboundPromptId: text('outbound_prompt_id'),
    /** Null: the call is held with what is published when it begins. */
    agentVersionId: text('agent_version_id'),
    variables: jsonb('variables').$type<Record<string, string>>().notNull(),
    isTest: boolean('is_test').notNull(),
    /** SHA-256: whoever reads the database cannot talk with it. */
    ticketHash: text('ticket_hash').notNull(),
    /** The page's, from which alone its connections may come; null: that of the first connection, where it has one. */
    origin: text('origin'),
    expiresAt: dateTime('expires_at').notNull(),
    takenAt: dateTime('taken_at'),
    createdAt: createdAt(),
  },
  (table) => [index('web_calls_created').on(table.createdAt)],
);
