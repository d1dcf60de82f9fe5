import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  bigserial,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core';
import type { Result } from '#lib/features/agents/results/rules.ts';
import type { CallOrder } from '#lib/engine/supervision.ts';
import type { TurnTimings } from '#lib/engine/latency.ts';
import type { LineTrace } from '#lib/ports/carrier.ts';
import { CALL_STATUSES, CHANNELS, DIRECTIONS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import { CARRIER_KINDS } from '#lib/ports/carrier-kinds.ts';
import { agents } from './agents.ts';
import { campaigns } from './campaigns.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { phoneNumbers } from './numbers.ts';
import { workspaces } from './workspaces.ts';

export type Appointment = { startsAt: string; timeZone: string; spoken: string };
/** `contact`: where the person wants to be reached, where that is not the number of the call. */
export type Callback = { spoken: string; contact?: string };
/** How the conversation went, stored when it is over: everything after it can be repeated from the database. */
export type CallOutcome = {
  connected: boolean;
  neverConnectedReason: string | null;
  answeredBy: 'human' | 'machine' | 'unknown' | null;
  durationMs: number;
  voicemail: 'message_left' | 'no_message' | null;
  recordedMessage?: 'left' | 'none';
  transferredTo: string | null;
  appointment: Appointment | null;
  callback: Callback | null;
  endedBy: 'agent' | 'human' | 'carrier' | 'limit' | 'shutdown' | 'staff' | null;
  endReason: string;
  usage: { inputTokens: number; outputTokens: number; spokenMs: number };
};
export type CostBreakdown = { carrierCents: number; languageCents: number; speechCents: number };

/** What the lists can be narrowed by, in one text (drizzle/0019_listing_functions.sql). */
const facetOf = (
  call: Record<'isTest' | 'channel' | 'direction' | 'sentiment' | 'disposition', AnyPgColumn>,
) =>
  sql`call_facet(${call.isTest}, ${call.channel}, ${call.direction}, ${call.sentiment}, ${call.disposition})`;

/** The order of the lists, and behind it whatever a filter asks of each conversation without reading its row. */
const placesOf = <Column>(
  call: Record<
    'dateInitiated' | 'id' | 'agentId' | 'isTest' | 'channel' | 'direction' | 'sentiment' | 'disposition',
    Column
  >,
): [Column, ...Column[]] => [
  call.dateInitiated,
  call.id,
  call.agentId,
  call.isTest,
  call.channel,
  call.direction,
  call.sentiment,
  call.disposition,
];

/** A call from the moment it is accepted; once `ended`, the conversation that the API shows. */
export const calls = pgTable(
  'calls',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    /** No foreign key: a conversation outlives the prompt it was held with. */
    outboundPromptId: text('outbound_prompt_id'),
    phoneNumberId: text('phone_number_id').references(() => phoneNumbers.id, { onDelete: 'set null' }),
    direction: text('direction', { enum: DIRECTIONS }).notNull(),
    /** A chat has `browser` where a call has its carrier and its numbers, and a row in `chats`. */
    channel: text('channel', { enum: CHANNELS }).notNull().default('call'),
    carrier: text('carrier', { enum: CARRIER_KINDS }).notNull(),
    /** What the carrier that brought a call knows it by. A carrier that got no answer asks again, and means the same call. */
    carrierReference: text('carrier_reference'),
    agentPhoneNumber: text('agent_phone_number').notNull(),
    humanPhoneNumber: text('human_phone_number').notNull(),
    variables: jsonb('variables').$type<Record<string, string>>().notNull(),
    /**
     * The version of its agent that it was held with, known once it is planned; given before, it is planned with that one.
     * Null where it never came to that, and of calls from before versions were kept. No foreign key: it would be checked
     * for a million rows.
     */
    agentVersionId: text('agent_version_id'),
    /** Where the request for the call stands in a trace (W3C Trace Context); null where nobody asked by HTTP. */
    traceparent: text('traceparent'),
    /** A try from the dashboard: in no list of the API, no usage and no webhook. */
    isTest: boolean('is_test').notNull().default(false),

    status: text('status', { enum: CALL_STATUSES }).notNull(),
    /** Index in CALL_STATUSES; a trigger refuses every update that lowers it (db/functions.sql). */
    statusRank: integer('status_rank').notNull(),
    /**
     * The process working on the call, and until when others must leave it alone. Null while the call waits in the queue
     * and once it ended; a queued call with an owner is claimed, and nobody was dialled for it yet.
     */
    leaseOwner: text('lease_owner'),
    leaseUntil: dateTime('lease_until'),
    /** How often a process took the call over from one that went silent. */
    recoveryAttempts: integer('recovery_attempts').notNull().default(0),
    /** Seconds reserved of the monthly limit while the call runs, and the month they are reserved in. */
    reservedSeconds: integer('reserved_seconds').notNull().default(0),
    usageMonth: text('usage_month').notNull(),

    /** When a call that waits was asked for; null: when it was accepted. */
    dueAt: dateTime('due_at'),
    /** Until when it waits, with the zone by whose clock (null: for the moment it is due); null: it waits for nothing. */
    notBefore: dateTime('not_before'),
    notBeforeZone: text('not_before_zone'),

    /** The first call of a series of attempts to reach a person, which attempt this one is, and of how many. */
    retryOf: text('retry_of'),
    attempt: integer('attempt').notNull().default(1),
    attemptsPlanned: integer('attempts_planned'),
    /** Of a call that a campaign placed, and of further attempts to reach the same person. */
    campaignId: text('campaign_id').references(() => campaigns.id, { onDelete: 'set null' }),

    dateInitiated: dateTime('date_initiated').notNull(),
    answeredAt: dateTime('answered_at'),
    /** By what whoever has answered can be hung up on after a crash; null before the answer and once it is over. */
    lineTrace: jsonb('line_trace').$type<LineTrace>(),
    endedAt: dateTime('ended_at'),
    durationSeconds: doublePrecision('duration_seconds').notNull().default(0),
    disposition: text('disposition', { enum: DISPOSITIONS }),
    /** One sentence for a person: why the call ended as it did. */
    endReason: text('end_reason'),
    tags: text('tags').array().notNull().default([]),
    sentiment: text('sentiment', { enum: SENTIMENTS }),
    summary: text('summary'),
    /** What it yielded, by the fields of the agent when it was over; null where there were none. */
    results: jsonb('results').$type<Result[]>(),
    transcript: text('transcript').notNull().default(''),
    appointment: jsonb('appointment').$type<Appointment>(),
    callback: jsonb('callback').$type<Callback>(),
    cost: doublePrecision('cost').notNull().default(0),
    costBreakdown: jsonb('cost_breakdown').$type<CostBreakdown>(),
    outcome: jsonb('outcome').$type<CallOutcome>(),
    recordingKey: text('recording_key'),
    recordingSizeBytes: integer('recording_size_bytes'),

    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    // The list of conversations. What follows `id` orders nothing.
    index('calls_ended')
      .on(table.workspaceId, ...placesOf(table))
      .where(sql`status = 'ended'`),
    // The same by what a filter can ask for, of the workspace and of an agent: rare ones are found without passing the others.
    index('calls_ended_facet')
      .on(table.workspaceId, facetOf(table), table.dateInitiated, table.id)
      .where(sql`status = 'ended'`),
    index('calls_ended_agent')
      .on(table.workspaceId, table.agentId, facetOf(table), table.dateInitiated, table.id)
      .where(sql`status = 'ended'`),
    // As few as wait and run.
    index('calls_open')
      .on(table.workspaceId, table.dateInitiated, table.id)
      .where(sql`status <> 'ended'`),
    // Parts of words, of what was said and written (`call_words`), with the windows of time that a conversation of its
    // workspace lies in (`call_windows`); and of names and numbers (`call_names`).
    index('calls_search')
      .using(
        'gin',
        sql`call_words(transcript, summary, tags, human_phone_number, agent_phone_number) gin_trgm_ops`,
        sql`call_windows(workspace_id, date_initiated)`,
      )
      .with({ fastupdate: false })
      .where(sql`status = 'ended'`),
    index('calls_names')
      .using('gin', sql`call_names(variables, human_phone_number) gin_trgm_ops`)
      .with({ fastupdate: false })
      .where(sql`status = 'ended'`),
    // The same of an outbound prompt.
    index('calls_prompt')
      .on(table.workspaceId, table.outboundPromptId, ...placesOf(table))
      .where(sql`status = 'ended' and outbound_prompt_id is not null`),
    // The same of a version of an agent.
    index('calls_version')
      .on(table.workspaceId, table.agentVersionId, ...placesOf(table))
      .where(sql`status = 'ended' and agent_version_id is not null`),
    // The same of a campaign.
    index('calls_campaign_ended')
      .on(table.workspaceId, table.campaignId, ...placesOf(table))
      .where(sql`status = 'ended' and campaign_id is not null`),
    // What waits, by number, due moment and age: what a number may call next are its first entries, however many wait behind
    // them for their calling hours.
    index('calls_waiting')
      .on(
        table.workspaceId,
        sql`coalesce(${table.phoneNumberId}, '')`,
        table.carrier,
        sql`coalesce(${table.notBefore}, ${table.createdAt})`,
        table.createdAt,
        table.id,
      )
      .where(sql`status = 'queued' and lease_owner is null`),
    uniqueIndex('calls_carrier_reference')
      .on(table.carrier, table.carrierReference)
      .where(sql`carrier_reference is not null`),
    // The attempts of a series; never two of one number.
    uniqueIndex('calls_attempts')
      .on(table.retryOf, table.attempt)
      .where(sql`retry_of is not null`),
    // What of a campaign waits, runs and is over.
    index('calls_campaign')
      .on(table.campaignId, table.status)
      .where(sql`campaign_id is not null`),
    // Found when a number is deleted, and for what it did last.
    index('calls_number').on(table.phoneNumberId, table.direction, table.createdAt),
    // What a process works on: as many rows as calls run, however many wait or ended.
    index('calls_leased')
      .on(table.workspaceId, table.phoneNumberId)
      .where(sql`lease_owner is not null`),
  ],
);

/**
 * What people order on a call in progress, until the process that runs it takes it: in several processes the database is
 * the only thing that they share.
 */
export const callOrders = pgTable(
  'call_orders',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    order: jsonb('order').$type<CallOrder>().notNull(),
    createdAt: createdAt(),
    takenAt: dateTime('taken_at'),
  },
  (table) => [
    // Looked through when a call is deleted.
    index('call_orders_call').on(table.callId),
    index('call_orders_open')
      .on(table.callId)
      .where(sql`taken_at is null`),
  ],
);

/**
 * The fence: committed before the carrier is called, one row per call ever, never deleted. No foreign key: it outlives the
 * conversation, and names no person.
 */
export const callAttempts = pgTable('call_attempts', {
  id: text('id').primaryKey(),
  callId: text('call_id').notNull().unique(),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  carrier: text('carrier').notNull(),
  reference: text('reference').notNull().unique(),
  committedAt: dateTime('committed_at').notNull(),
});

/** The same fence for whom a call is handed to by the agent itself: committed before that person is called, one row each time. */
export const transferAttempts = pgTable(
  'transfer_attempts',
  {
    id: text('id').primaryKey(),
    /** No foreign key: as above. */
    callId: text('call_id').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    carrier: text('carrier').notNull(),
    reference: text('reference').notNull().unique(),
    /** '' once the conversation was deleted. */
    number: text('number').notNull(),
    committedAt: dateTime('committed_at').notNull(),
  },
  (table) => [index('transfer_attempts_call').on(table.callId)],
);

/** What was said, written as it happens. Times are milliseconds of the recording, which starts at the answer. */
export const turns = pgTable(
  'turns',
  {
    id: text('id').primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    seq: integer('seq').notNull(),
    speaker: text('speaker', { enum: ['agent', 'human'] }).notNull(),
    /** What was really heard; shorter than `intendedText` when the person interrupted. */
    text: text('text').notNull(),
    intendedText: text('intended_text'),
    startedMs: integer('started_ms').notNull(),
    endedMs: integer('ended_ms').notNull(),
    interrupted: boolean('interrupted').notNull().default(false),
    /** When each word of `text` began, counted from `startedMs`. */
    wordStartsMs: integer('word_starts_ms').array(),
    /** Of the agent's answers: how long each part of one took. */
    timings: jsonb('timings').$type<TurnTimings>(),
  },
  (table) => [uniqueIndex('turns_call_seq').on(table.callId, table.seq)],
);

/** Everything that happened on a call, for its timeline and for support. */
export const callEvents = pgTable(
  'call_events',
  {
    id: bigserial('id', { mode: 'number' }).primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    at: dateTime('at').notNull(),
  },
  (table) => [
    index('call_events_call').on(table.callId, table.id),
    index('call_events_workspace').on(table.workspaceId, table.id),
  ],
);

export const toolUses = pgTable(
  'tool_uses',
  {
    id: text('id').primaryKey(),
    callId: text('call_id')
      .notNull()
      .references(() => calls.id),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    seq: integer('seq').notNull(),
    name: text('name').notNull(),
    arguments: jsonb('arguments').$type<Record<string, unknown>>().notNull(),
    result: jsonb('result').$type<Record<string, unknown>>().notNull(),
    startedMs: integer('started_ms').notNull(),
    endedMs: integer('ended_ms').notNull(),
  },
  (table) => [uniqueIndex('tool_uses_call_seq').on(table.callId, table.seq)],
);
