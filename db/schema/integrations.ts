import { boolean, index, json, pgTable, text } from 'drizzle-orm/pg-core';
import { INTEGRATION_KINDS, type IntegrationConfig } from '#lib/features/integrations/rules.ts';
import { createdAt, dateTime, updatedAt } from './columns.ts';
import { workspaces } from './workspaces.ts';

/** What agents of a workspace can use outside of the conversation. */
export const integrations = pgTable(
  'integrations',
  {
    id: text('id').primaryKey(),
    workspaceId: text('workspace_id')
      .notNull()
      .references(() => workspaces.id),
    name: text('name').notNull(),
    kind: text('kind', { enum: INTEGRATION_KINDS }).notNull(),
    isOn: boolean('is_on').notNull().default(true),
    /** Everything but secrets. Not jsonb, which would put the arguments of a tool into another order. */
    config: json('config').$type<IntegrationConfig>().notNull(),
    /** Values of secret headers by their names, sealed (lib/ports/sealer.ts) for this row and its address. */
    sealedSecrets: text('sealed_secrets'),
    /** Why the last use failed, one sentence; null once it works. */
    fault: text('fault'),
    faultAt: dateTime('fault_at'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [index('integrations_workspace').on(table.workspaceId, table.createdAt)],
);
