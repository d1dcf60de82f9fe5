import { sql } from 'drizzle-orm';
import { boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { DraftConflict } from '#lib/features/publishing/drafts/rules.ts';
import type { SplitStep } from '#lib/features/publishing/splits/rules.ts';
import type { VersionChange, VersionContent } from '#lib/features/versions/rules.ts';
import { agents } from './agents.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

export const VERSION_AUTHORS = ['user', 'api_key', 'system', 'unknown'] as const;

/**
 * What an agent and its outbound prompts were after a saved change. Never changed and never deleted, not even with the
 * agent: conversations open what they were held with.
 */
export const agentVersions = pgTable(
  'agent_versions',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    /** Counts the versions of an agent from 1; null for a state of its draft, which was never published. */
    number: integer('number'),
    content: jsonb('content').$type<VersionContent>().notNull(),
    /** What differs from the version before, so that a list of versions reads no texts. */
    changes: jsonb('changes').$type<VersionChange[]>().notNull(),
    /** Of a version that was restored: the number of the one it is like. */
    restoredNumber: integer('restored_number'),
    /** Published for a share of the conversations only: the agent itself was never this. */
    isShareOnly: boolean('is_share_only').notNull().default(false),
    /** `unknown`: saved before versions were kept, or by a process of a release that kept none. */
    authorKind: text('author_kind', { enum: VERSION_AUTHORS }).notNull(),
    authorId: text('author_id'),
    authorLabel: text('author_label'),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex('agent_versions_number')
      .on(table.agentId, table.number)
      .where(sql`number is not null`),
    index('agent_versions_workspace').on(table.workspaceId),
  ],
);

/** What is being written for an agent and is not published, at most one of each. */
export const agentDrafts = pgTable('agent_drafts', {
  agentId: text('agent_id')
    .primaryKey()
    .references(() => agents.id),
  workspaceId: text('workspace_id')
    .notNull()
    .references(() => workspaces.id),
  /** What it says now: a version without a number, which is held as any other. */
  versionId: text('version_id')
    .notNull()
    .references(() => agentVersions.id),
  /** The published version that its changes are changes of. */
  baseVersionId: text('base_version_id')
    .notNull()
    .references(() => agentVersions.id),
  conflicts: jsonb('conflicts').$type<DraftConflict[]>().notNull(),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
});

/**
 * A second published version that gets a share of an agent's new conversations, at most one at a time; those that are over
 * stay. Who gets it follows from the id of the conversation (docs/decisions/0312).
 */
export const agentSplits = pgTable(
  'agent_splits',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    agentId: text('agent_id')
      .notNull()
      .references(() => agents.id),
    versionId: text('version_id')
      .notNull()
      .references(() => agentVersions.id),
    /** Of a hundred conversations, so many; 1 to 99. */
    percent: integer('percent').notNull(),
    /** What was done with it, by whom and when, from its start to its end. */
    steps: jsonb('steps').$type<SplitStep[]>().notNull(),
    startedAt: dateTime('started_at').notNull(),
    endedAt: dateTime('ended_at'),
  },
  (table) => [
    uniqueIndex('agent_splits_running')
      .on(table.agentId)
      .where(sql`ended_at is null`),
    index('agent_splits_agent').on(table.workspaceId, table.agentId, table.startedAt),
  ],
);
