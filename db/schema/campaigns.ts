import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { CAMPAIGN_STATES, PERSON_STATES } from '#lib/features/campaigns/rules.ts';
import { agents } from './agents.ts';
import { callingHoursColumn, createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** Which column of a file is the number, and which ones are variables, by their places from 0. */
export type ColumnMapping = {
  hasHeader: boolean;
  numberColumn: number;
  variables: { column: number; name: string }[];
};

/** A list of people who are called one after another with one prompt. */
export const campaigns = pgTable(
  'campaigns',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    state: text('state', { enum: CAMPAIGN_STATES }).notNull(),
    fromNumber: text('from_number').notNull(),
    /** Whose number it was when the campaign was made. */
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    /** No foreign key: a campaign is still read when its prompt is gone. */
    outboundPromptId: text('outbound_prompt_id').notNull(),
    callsPerMinute: integer('calls_per_minute').notNull(),
    /** Nobody is called before it; null: at once. */
    startAt: dateTime('start_at'),
    /** Narrower than the workspace's; null: those alone. */
    callingHours: callingHoursColumn('calling_hours'),
    /** How the file of a draft is read; null where people come by the API. */
    columns: jsonb('columns').$type<ColumnMapping>(),
    variableNames: text('variable_names').array().notNull().default([]),

    /** Counted when the list was checked, and while it is worked through: a list of campaigns counts no people. */
    peopleCount: integer('people_count').notNull().default(0),
    callableCount: integer('callable_count').notNull().default(0),
    placedCount: integer('placed_count').notNull().default(0),
    refusedCount: integer('refused_count').notNull().default(0),

    /** Why the service paused it, or what became of a check; null where a person did. */
    pauseReason: text('pause_reason'),
    /** When the next call may be placed: shared by every process. */
    nextReleaseAt: dateTime('next_release_at'),
    /** Until when a check is trusted to be running. */
    checkingUntil: dateTime('checking_until'),
    /** Of the request that made it: a repeat gets the campaign instead of a second one. */
    idempotencyKey: text('idempotency_key'),
    requestHash: text('request_hash'),
    createdBy: text('created_by').notNull(),
    startedAt: dateTime('started_at'),
    endedAt: dateTime('ended_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('campaigns_list').on(table.workspaceId, table.createdAt, table.id),
    uniqueIndex('campaigns_idempotency_key').on(table.workspaceId, table.idempotencyKey),
    // What the processes look at twice a second, however many campaigns are over.
    index('campaigns_at_work')
      .on(table.state)
      .where(sql`state in ('running', 'checking')`),
  ],
);

/** The lines of a campaign's list, by their line in the file or their place in the request, from 1. */
export const campaignPeople = pgTable(
  'campaign_people',
  {
    campaignId: text('campaign_id')
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    line: integer('line').notNull(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id, { onDelete: 'cascade' }),
    /** As it was written, shortened. */
    givenNumber: text('given_number').notNull(),
    /** E.164; null where it is none. */
    number: text('number'),
    variables: jsonb('variables').$type<Record<string, string>>().notNull(),
    state: text('state', { enum: PERSON_STATES }).notNull(),
    /** Why this person is not called, in a sentence, and the column it is about. */
    fault: text('fault'),
    faultColumn: text('fault_column'),
    /**
     * When it may be looked at next: later while their calling hours are closed, and for as long as a process has taken
     * the line to place its call.
     */
    dueAt: dateTime('due_at').notNull(),
    /** The first call. No foreign key: the list is still read when a conversation was deleted. */
    callId: text('call_id'),
    placedAt: dateTime('placed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.campaignId, table.line] }),
    index('campaign_people_due')
      .on(table.campaignId, table.dueAt, table.line)
      .where(sql`state = 'pending'`),
    index('campaign_people_state').on(table.campaignId, table.state, table.line),
    // Nobody is called twice by one campaign, whatever the check overlooked.
    uniqueIndex('campaign_people_number')
      .on(table.campaignId, table.number)
      .where(sql`state in ('pending', 'placed')`),
  ],
);
