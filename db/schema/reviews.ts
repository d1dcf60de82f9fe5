import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { calls } from './calls.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

const callId = () =>
  text('call_id')
    .notNull()
    .references(() => calls.id, { onDelete: 'cascade' });
const workspaceId = () =>
  text('workspace_id')
    .notNull()
    .references(() => workspaces.id);

/**
 * What people decided about the tags of a conversation; `calls.tags` is what came of it, so that every list, search and
 * figure knows one set of tags. A tag that was taken back to what the analyzer said has no row.
 */
export const callTagEdits = pgTable(
  'call_tag_edits',
  {
    callId: callId(),
    tag: text('tag').notNull(),
    workspaceId: workspaceId(),
    /** `added`: the analyzer did not say it; `removed`: it did. */
    kind: text('kind', { enum: ['added', 'removed'] }).notNull(),
    /** No foreign key: a decision outlives the account. `author` is the e-mail address then. */
    authorId: text('author_id').notNull(),
    author: text('author').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.tag] })],
);

/** The order of the list, and behind it what else a filter asks. */
const placesOf = <Column>(
  review: Record<'dateInitiated' | 'callId' | 'agentId' | 'facet', Column>,
): [Column, ...Column[]] => [review.dateInitiated, review.callId, review.agentId, review.facet];

/**
 * Conversations that somebody was assigned to or has reviewed, in the order of the list. The others have no row: nearly all
 * of a million.
 */
export const callReviews = pgTable(
  'call_reviews',
  {
    callId: callId().primaryKey(),
    workspaceId: workspaceId(),
    agentId: text('agent_id').notNull(),
    /** `call_facet` of the call, which no longer changes. */
    facet: text('facet').notNull(),
    dateInitiated: dateTime('date_initiated').notNull(),
    /** Those of the call, written by a trigger alone (drizzle/0043_call_reviews_own.sql). */
    outboundPromptId: text('outbound_prompt_id'),
    agentVersionId: text('agent_version_id'),
    campaignId: text('campaign_id'),
    assigneeId: text('assignee_id'),
    assignee: text('assignee'),
    reviewedAt: dateTime('reviewed_at'),
    reviewerId: text('reviewer_id'),
    reviewer: text('reviewer'),
  },
  (table) => [
    index('call_reviews_done')
      .on(table.workspaceId, ...placesOf(table))
      .where(sql`reviewed_at is not null`),
    index('call_reviews_assignee')
      .on(table.workspaceId, table.assigneeId, ...placesOf(table))
      .where(sql`assignee_id is not null`),
    // What is reviewed of a prompt, a version and a campaign, as each has an index of its own in `calls`.
    index('call_reviews_prompt')
      .on(table.workspaceId, table.outboundPromptId, ...placesOf(table))
      .where(sql`reviewed_at is not null and outbound_prompt_id is not null`),
    index('call_reviews_version')
      .on(table.workspaceId, table.agentVersionId, ...placesOf(table))
      .where(sql`reviewed_at is not null and agent_version_id is not null`),
    index('call_reviews_campaign')
      .on(table.workspaceId, table.campaignId, ...placesOf(table))
      .where(sql`reviewed_at is not null and campaign_id is not null`),
  ],
);

/** One rating of each member. */
export const callRatings = pgTable(
  'call_ratings',
  {
    callId: callId(),
    authorId: text('author_id').notNull(),
    workspaceId: workspaceId(),
    author: text('author').notNull(),
    /** 1 to 5. */
    stars: integer('stars').notNull(),
    sentence: text('sentence'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [primaryKey({ columns: [table.callId, table.authorId] })],
);

/** Filters of the list of conversations under a name. */
export const savedViews = pgTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    workspaceId: workspaceId(),
    ownerId: text('owner_id').notNull(),
    owner: text('owner').notNull(),
    name: text('name').notNull(),
    /** Everybody of the workspace sees it. */
    isShared: boolean('is_shared').notNull().default(false),
    /** The filters, as they stand in the address of the list. */
    query: text('query').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('saved_views_name').on(table.workspaceId, table.ownerId, table.name)],
);

/** Links that show one conversation to whoever has them. The link itself is signed and stands nowhere. */
export const callShares = pgTable(
  'call_shares',
  {
    id: text('id').primaryKey(),
    callId: callId(),
    workspaceId: workspaceId(),
    authorId: text('author_id').notNull(),
    author: text('author').notNull(),
    createdAt: createdAt(),
    expiresAt: dateTime('expires_at').notNull(),
    revokedAt: dateTime('revoked_at'),
    lastOpenedAt: dateTime('last_opened_at'),
    openedCount: integer('opened_count').notNull().default(0),
  },
  (table) => [index('call_shares_call').on(table.callId, table.createdAt)],
);

/**
 * Conversations that were deleted, or only their recordings: what lies in the storage, and on a machine that ran the call, is
 * removed by this, however often a process is killed meanwhile. No foreign key to `calls`; it names no person.
 */
export const deletedCalls = pgTable(
  'deleted_calls',
  {
    callId: text('call_id').primaryKey(),
    workspaceId: workspaceId(),
    what: text('what', { enum: ['conversation', 'recording'] }).notNull(),
    deletedAt: dateTime('deleted_at').notNull(),
    /** When its files are to be removed (again); null: they are gone. */
    dueAt: dateTime('due_at'),
  },
  (table) => [
    index('deleted_calls_due')
      .on(table.dueAt)
      .where(sql`due_at is not null`),
  ],
);
