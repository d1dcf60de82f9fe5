import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { CallPlan } from '#lib/engine/plan.ts';
import { agents } from './agents.ts';
import { calls } from './calls.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const CHAT_SOURCES = ['dashboard', 'api', 'widget'] as const;

/**
 * What a chat needs beside its conversation, whose id it has: a row of `calls` with `channel` = `chat`, turns, tool uses
 * and events like those of a call. No process owns a chat between two messages.
 */
export const chats = pgTable(
  'chats',
  {
    id: text('id')
      .primaryKey()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    source: text('source', { enum: CHAT_SOURCES }).notNull(),
    /** Of the page with the widget; null for other chats. */
    origin: text('origin'),
    isOpen: boolean('is_open').notNull().default(true),
    /** Agent, prompt and settings as they were when the chat began; null once it has ended. */
    plan: jsonb('plan').$type<Omit<CallPlan, 'startedAt'>>(),
    messageCount: integer('message_count').notNull().default(0),
    /** The id that the client gave to the person's last message: sent again, it is answered once. */
    lastMessageId: text('last_message_id'),
    /** Who works on an answer, and until when nobody else does. */
    answeringId: text('answering_id'),
    answeringUntil: dateTime('answering_until'),
    inputTokens: integer('input_tokens').notNull().default(0),
    outputTokens: integer('output_tokens').notNull().default(0),
    lastActivityAt: dateTime('last_activity_at').notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    // Those that are open: as many rows as people chat, however many have.
    index('chats_open_of_agent')
      .on(table.agentId, table.lastActivityAt)
      .where(sql`is_open`),
    index('chats_open')
      .on(table.lastActivityAt)
      .where(sql`is_open`),
    // What a workspace spent today.
    index('chats_of_workspace').on(table.workspaceId, table.createdAt),
  ],
);

/** The website widget of an agent: who may open a chat without a key. */
export const chatWidgets = pgTable(
  'chat_widgets',
  {
    /** Stands in pages of websites, so it is public, and too long to be guessed. */
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    isEnabled: boolean('is_enabled').notNull().default(false),
    /** `https://www.example.com`, `https://*.example.com`. */
    allowedOrigins: text('allowed_origins').array().notNull().default([]),
    title: text('title'),
    /** `#rrggbb`. */
    color: text('color'),
    greeting: text('greeting'),
    /** Whether the post-conversation webhook is sent for chats of visitors, too. */
    sendsWebhook: boolean('sends_webhook').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('chat_widgets_agent').on(table.agentId)],
);
