import { boolean, integer, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { DEFAULT_CALLING_HOURS } from '#lib/calling-hours/calling-hours.ts';
import type { RateCard } from '#lib/features/workspaces/rules.ts';
import { callingHoursColumn, createdAt, dateTime, updatedAt } from './columns.ts';
import { users } from './auth.ts';

export const workspaces = pgTable('workspaces', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  /** IANA name; appointments and the monthly limit follow it. */
  timeZone: text('time_zone').notNull().default('UTC'),
  /** ISO 3166-1; numbers written without a country code are of it. null = guessed from the workspace's own numbers. */
  country: text('country'),
  /** null = unlimited. */
  monthlyUsageLimitMinutes: integer('monthly_usage_limit_minutes'),
  /** Where the limit is reached: calls that come in are taken all the same, and counted, unless this says otherwise. */
  refusesIncomingAtLimit: boolean('refuses_incoming_at_limit').notNull().default(false),
  maxConcurrentCalls: integer('max_concurrent_calls').notNull().default(10),
  rateCard: jsonb('rate_card').$type<RateCard>().notNull(),
  /** When people are called, by their own clocks (docs/law-and-manners.md). */
  callingHours: callingHoursColumn('calling_hours').notNull().default(DEFAULT_CALLING_HOURS),
  /** Said at the beginning of every call; null: in the language's own words. */
  hasRecordingAnnouncement: boolean('has_recording_announcement').notNull().default(false),
  recordingAnnouncement: text('recording_announcement'),
  /** Days after which conversations, and recordings alone, are deleted; null: kept. */
  conversationRetentionDays: integer('conversation_retention_days'),
  recordingRetentionDays: integer('recording_retention_days'),
  /** No conversation from before has a recording: the sweep goes on from here. */
  recordingsDeletedUntil: dateTime('recordings_deleted_until'),
  webhookUrl: text('webhook_url'),
  webhookSecret: text('webhook_secret').notNull(),
  webhookSecretChangedAt: dateTime('webhook_secret_changed_at').notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

export const members = pgTable(
  'members',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['viewer', 'member', 'admin', 'owner'] }).notNull(),
    /** When they last used this workspace; null until they do for the first time. */
    lastSeenAt: dateTime('last_seen_at'),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.userId] })],
);

export const customTags = pgTable(
  'custom_tags',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    description: text('description').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.name] })],
);

/** Seconds of conversation per calendar month (in UTC): what finished calls used and what running ones hold. */
export const usageMonths = pgTable(
  'usage_months',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    /** `2026-11` */
    month: text('month').notNull(),
    usedSeconds: integer('used_seconds').notNull().default(0),
    reservedSeconds: integer('reserved_seconds').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.month] })],
);
