import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { DraftConflict } from '#lib/features/publishing/drafts/rules.ts';
import type { VersionChange, VersionContent } from '#lib/features/versions/rules.ts';
import { agents } from './agents.ts';
import { createdAt, updatedAt } from './columns.ts';
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
