import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { scenarios } from '#db/schema/simulations.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

export type ScenarioRow = typeof scenarios.$inferSelect;

const own = (workspaceId: WorkspaceId, scenarioId: string) =>
  and(eq(scenarios.workspaceId, workspaceId), eq(scenarios.id, scenarioId));

/** Oldest first; of these alone where `ids` are given. */
export async function listScenarios(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, ids }: { agentId: string; ids?: readonly string[] | undefined },
): Promise<ScenarioRow[]> {
  return db
    .select()
    .from(scenarios)
    .where(
      and(
        eq(scenarios.workspaceId, workspaceId),
        eq(scenarios.agentId, agentId),
        ids && inArray(scenarios.id, [...ids]),
      ),
    )
    .orderBy(asc(scenarios.createdAt), asc(scenarios.id));
}

export async function countScenarios(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<number> {
  return db.$count(scenarios, and(eq(scenarios.workspaceId, workspaceId), eq(scenarios.agentId, agentId)));
}

/** Throws 404 and 403. */
export async function findScenario(
  db: Database,
  workspaceId: WorkspaceId,
  scenarioId: string,
): Promise<ScenarioRow> {
  const [row] = await db.select().from(scenarios).where(eq(scenarios.id, scenarioId));
  return ownedOrThrow(row, workspaceId, 'Scenario');
}

/** The same, locked until the transaction ends. */
export async function lockScenario(
  tx: Database,
  workspaceId: WorkspaceId,
  scenarioId: string,
): Promise<ScenarioRow> {
  const [row] = await tx.select().from(scenarios).where(eq(scenarios.id, scenarioId)).for('no key update');
  return ownedOrThrow(row, workspaceId, 'Scenario');
}

export async function insertScenario(
  db: Database,
  workspaceId: WorkspaceId,
  scenario: Omit<typeof scenarios.$inferInsert, 'workspaceId'>,
): Promise<ScenarioRow> {
  const [row] = await db
    .insert(scenarios)
    .values({ ...scenario, workspaceId })
    .returning();
  if (!row) throw new Error('the scenario was not written');
  return row;
}

export async function updateScenario(
  db: Database,
  workspaceId: WorkspaceId,
  scenarioId: string,
  change: Pick<ScenarioRow, 'name' | 'content' | 'updatedAt'> & { sourceCallId?: null },
): Promise<ScenarioRow> {
  const [row] = await db.update(scenarios).set(change).where(own(workspaceId, scenarioId)).returning();
  return ownedOrThrow(row, workspaceId, 'Scenario');
}

export async function deleteScenario(
  db: Database,
  workspaceId: WorkspaceId,
  scenarioId: string,
): Promise<void> {
  await db.delete(scenarios).where(own(workspaceId, scenarioId));
}

/** Those that have words of these conversations. */
export async function listScenariosOfCalls(
  db: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<Pick<ScenarioRow, 'id' | 'agentId' | 'name'>[]> {
  return db
    .select({ id: scenarios.id, agentId: scenarios.agentId, name: scenarios.name })
    .from(scenarios)
    .where(ofCalls(workspaceId, callIds))
    .orderBy(asc(scenarios.createdAt), asc(scenarios.id));
}

/** Holds scenarios until the transaction ends, so that none is deleted with its conversation meanwhile; those that are there. */
export async function lockScenarios(
  tx: Database,
  workspaceId: WorkspaceId,
  scenarioIds: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .select({ id: scenarios.id })
    .from(scenarios)
    .where(and(eq(scenarios.workspaceId, workspaceId), inArray(scenarios.id, [...scenarioIds])))
    .for('share');
  return new Set(rows.map(({ id }) => id));
}

/** Deletes those that have words of these conversations. */
export async function deleteScenariosOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  await tx.delete(scenarios).where(ofCalls(workspaceId, callIds));
}

const ofCalls = (workspaceId: WorkspaceId, callIds: readonly string[]) =>
  and(eq(scenarios.workspaceId, workspaceId), inArray(scenarios.sourceCallId, [...callIds]));
