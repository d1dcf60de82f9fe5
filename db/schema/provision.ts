import { pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/**
 * What a provision file made once, under the file's own name for it. What stands here and is gone was removed by
 * somebody, and what has another name now was renamed.
 */
export const provisionedItems = pgTable(
  'provisioned_items',
  {
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    kind: text('kind').notNull(),
    name: text('name').notNull(),
    targetId: text('target_id').notNull(),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.workspaceId, table.kind, table.name] })],
);
