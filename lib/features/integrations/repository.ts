import { and, asc, count, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { integrations } from '#db/schema/integrations.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { offeredBy } from './rules.ts';

export type IntegrationRow = typeof integrations.$inferSelect;
export type NewIntegration = Omit<typeof integrations.$inferInsert, 'workspaceId'>;
export type IntegrationChange = Partial<
  Pick<IntegrationRow, 'name' | 'isOn' | 'config' | 'sealedSecrets' | 'fault' | 'faultAt' | 'updatedAt'>
>;

/** In the order in which they were made. */
export async function listIntegrations(db: Database, workspaceId: WorkspaceId): Promise<IntegrationRow[]> {
  return db
    .select()
    .from(integrations)
    .where(eq(integrations.workspaceId, workspaceId))
    .orderBy(asc(integrations.createdAt), asc(integrations.id));
}

export async function countIntegrations(db: Database, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db
    .select({ count: count() })
    .from(integrations)
    .where(eq(integrations.workspaceId, workspaceId));
  return row?.count ?? 0;
}

export async function findIntegration(
  db: Database,
  workspaceId: WorkspaceId,
  integrationId: string,
): Promise<IntegrationRow> {
  const [row] = await db.select().from(integrations).where(eq(integrations.id, integrationId));
  return ownedOrThrow(row, workspaceId, 'Integration');
}

/** The row, locked until the transaction ends. */
export async function lockIntegration(
  db: Database,
  workspaceId: WorkspaceId,
  integrationId: string,
): Promise<IntegrationRow> {
  const [row] = await db.select().from(integrations).where(eq(integrations.id, integrationId)).for('update');
  return ownedOrThrow(row, workspaceId, 'Integration');
}

/** The workspace's own of these ids; others are not found. */
export async function findIntegrations(
  db: Database,
  workspaceId: WorkspaceId,
  integrationIds: readonly string[],
): Promise<IntegrationRow[]> {
  if (integrationIds.length === 0) return [];
  return db
    .select()
    .from(integrations)
    .where(and(eq(integrations.workspaceId, workspaceId), inArray(integrations.id, [...integrationIds])));
}

/** What an agent may use on a call, frozen into its plan. */
export async function loadWorkspaceTools(
  db: Database,
  workspaceId: WorkspaceId,
  integrationIds: readonly string[],
): Promise<Pick<CallPlan, 'workspaceTools' | 'missingIntegrations'>> {
  return offeredBy(integrationIds, await findIntegrations(db, workspaceId, integrationIds));
}

/** Until the transaction ends, no other one changes which names tools have in the workspace. */
export async function lockToolNames(db: Database, workspaceId: WorkspaceId): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtext(${`tool_names.${workspaceId}`}))`);
}

export async function insertIntegration(
  db: Database,
  workspaceId: WorkspaceId,
  integration: NewIntegration,
): Promise<void> {
  await db.insert(integrations).values({ ...integration, workspaceId });
}

export async function updateIntegration(
  db: Database,
  workspaceId: WorkspaceId,
  integrationId: string,
  change: IntegrationChange,
): Promise<void> {
  await db
    .update(integrations)
    .set(change)
    .where(and(eq(integrations.id, integrationId), eq(integrations.workspaceId, workspaceId)));
}

export async function deleteIntegration(
  db: Database,
  workspaceId: WorkspaceId,
  integrationId: string,
): Promise<void> {
  await db
    .delete(integrations)
    .where(and(eq(integrations.id, integrationId), eq(integrations.workspaceId, workspaceId)));
}
