import {
  bigserial,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from 'drizzle-orm/pg-core';
import { dateTime } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * The days of a workspace whose conversations are added up in `day_figures`. A day is one of the workspace's clock and is
 * known by its two moments, so a workspace that moves to another time zone has other days.
 */
export const figureDays = pgTable(
  'figure_days',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    startsAt: dateTime('starts_at').notNull(),
    endsAt: dateTime('ends_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.startsAt] })],
);

/** What ended conversations of a day come to, tests left out; a row for each agent, prompt and version of that day. */
export const dayFigures = pgTable(
  'day_figures',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    startsAt: dateTime('starts_at').notNull(),
    agentId: text('agent_id').notNull(),
    /** '' for conversations without one: calls that came in, and chats. */
    promptId: text('prompt_id').notNull(),
    /** '' for conversations that began with none, and of days that were added up before versions counted. */
    agentVersionId: text('agent_version_id').notNull().default(''),
    chats: integer('chats').notNull(),
    /** Of calls and chats, in cents. */
    cost: doublePrecision('cost').notNull(),
    /** From here on of calls alone. */
    calls: integer('calls').notNull(),
    outbound: integer('outbound').notNull(),
    /** Outbound calls that a person answered: neither a voicemail nor nobody. */
    reached: integer('reached').notNull(),
    seconds: doublePrecision('seconds').notNull(),
    /** In the order of `DISPOSITIONS`. */
    outcomes: integer('outcomes').array().notNull(),
    /** In the order of `SENTIMENTS`. */
    sentiments: integer('sentiments').array().notNull(),
    /** How many answers of the agent took how long, by the steps of `ANSWER_TIME_STEPS_MS`. */
    answerTimes: integer('answer_times').array().notNull(),
    /** How many calls have each tag. */
    tags: jsonb('tags').$type<Record<string, number>>().notNull(),
    /** How many calls that were answered took how long, by the steps of `DURATION_STEPS_SECONDS`. */
    durations: integer('durations').array().notNull().default([]),
    /** Of calls and chats, by `name:type` of a field: how often it was asked for, found, and found to be yes. */
    results: jsonb('results').$type<Record<string, [number, number, number]>>().notNull().default({}),
  },
  (table) => [
    primaryKey({
      name: 'day_figures_of_versions',
      columns: [table.workspaceId, table.startsAt, table.agentId, table.promptId, table.agentVersionId],
    }),
  ],
);

/**
 * Moments at which something about an ended conversation changed: their days are added up anew. Written by a trigger on
 * `calls`; rows only ever come to it, so conversations that end do not wait for each other.
 */
export const figureChanges = pgTable(
  'figure_changes',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    workspaceId: text('workspace_id').notNull(),
    dateInitiated: dateTime('date_initiated').notNull(),
  },
  (table) => [index('figure_changes_day').on(table.workspaceId, table.dateInitiated)],
);
