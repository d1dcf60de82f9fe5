import { and, asc, desc, eq, inArray, isNotNull, lt, ne, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { simulationResults, simulations } from '#db/schema/simulations.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import type { Answerer, ResultOutcome, Verdict } from './rules.ts';

export type SimulationRow = typeof simulations.$inferSelect;
export type ResultRow = typeof simulationResults.$inferSelect;
export type NewResult = Omit<
  typeof simulationResults.$inferInsert,
  'workspaceId' | 'simulationId' | 'status' | 'createdAt'
>;

const ofSimulation = (workspaceId: WorkspaceId, simulationId: string) =>
  and(eq(simulationResults.workspaceId, workspaceId), eq(simulationResults.simulationId, simulationId));
const ofAgent = (workspaceId: WorkspaceId, agentId: string) =>
  and(eq(simulations.workspaceId, workspaceId), eq(simulations.agentId, agentId));

export async function insertSimulation(
  tx: Database,
  workspaceId: WorkspaceId,
  simulation: Omit<typeof simulations.$inferInsert, 'workspaceId' | 'status'>,
  results: readonly NewResult[],
): Promise<void> {
  await tx.insert(simulations).values({ ...simulation, workspaceId, status: 'running' });
  const { id: simulationId, createdAt } = simulation;
  await tx.insert(simulationResults).values(
    results.map((result) => ({
      ...result,
      workspaceId,
      simulationId,
      createdAt,
      status: 'waiting' as const,
    })),
  );
}

/** Throws 404 where the agent has no such simulation, 403 where it is another workspace's. */
export async function findSimulation(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, simulationId }: { agentId: string; simulationId: string },
): Promise<SimulationRow> {
  const [row] = await db.select().from(simulations).where(eq(simulations.id, simulationId));
  const found = ownedOrThrow(row, workspaceId, 'Simulation');
  if (found.agentId !== agentId) throw notFound('Simulation');
  return found;
}

/** The latest first. */
export async function listSimulations(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, limit }: { agentId: string; limit: number },
): Promise<SimulationRow[]> {
  return db
    .select()
    .from(simulations)
    .where(ofAgent(workspaceId, agentId))
    .orderBy(desc(simulations.createdAt), desc(simulations.id))
    .limit(limit);
}

/** In the order of the scenarios. */
export async function listResults(
  db: Database,
  workspaceId: WorkspaceId,
  simulationId: string,
): Promise<ResultRow[]> {
  return db
    .select()
    .from(simulationResults)
    .where(ofSimulation(workspaceId, simulationId))
    .orderBy(asc(simulationResults.position));
}

export type OutcomeCount = { simulationId: string; outcome: ResultOutcome | null; count: number };

/** How many results of each simulation have which outcome; null: they are not over. */
export async function countOutcomes(
  db: Database,
  workspaceId: WorkspaceId,
  simulationIds: readonly string[],
): Promise<OutcomeCount[]> {
  if (simulationIds.length === 0) return [];
  const { simulationId, outcome } = simulationResults;
  return db
    .select({ simulationId, outcome, count: sql<number>`count(*)::int` })
    .from(simulationResults)
    .where(and(eq(simulationResults.workspaceId, workspaceId), inArray(simulationId, [...simulationIds])))
    .groupBy(simulationId, outcome);
}

/**
 * What a comparison needs: of each of these scenarios the last result of a completed simulation before this one, of a
 * version that was published. So a draft stands beside what callers have now, not beside the draft of an hour ago.
 */
export async function listResultsBefore(
  db: Database,
  workspaceId: WorkspaceId,
  {
    simulation,
    scenarioIds,
  }: { simulation: Pick<SimulationRow, 'id' | 'mode' | 'createdAt'>; scenarioIds: readonly string[] },
) {
  if (scenarioIds.length === 0) return [];
  return db
    .selectDistinctOn([simulationResults.scenarioId], {
      simulationId: simulationResults.simulationId,
      agentVersionId: simulations.agentVersionId,
      scenarioId: simulationResults.scenarioId,
      outcome: simulationResults.outcome,
      verdicts: sql<Verdict[]>`coalesce(${simulationResults.report} -> 'verdicts', '[]'::jsonb)`,
      answeredBy: sql<Answerer | null>`${simulationResults.report} ->> 'answeredBy'`,
    })
    .from(simulationResults)
    .innerJoin(simulations, eq(simulations.id, simulationResults.simulationId))
    .where(
      and(
        eq(simulationResults.workspaceId, workspaceId),
        inArray(simulationResults.scenarioId, [...scenarioIds]),
        eq(simulations.status, 'completed'),
        isNotNull(simulations.versionNumber),
        // What is understood of sound differs from what is written, whatever the agent is.
        eq(simulations.mode, simulation.mode),
        or(
          lt(simulations.createdAt, simulation.createdAt),
          and(eq(simulations.createdAt, simulation.createdAt), lt(simulations.id, simulation.id)),
        ),
      ),
    )
    .orderBy(simulationResults.scenarioId, desc(simulations.createdAt), desc(simulations.id));
}

/** The names of the scenarios whose last conversation with a version of the agent was not judged as a whole. */
export async function listNotJudged(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, versionId }: { agentId: string; versionId: string },
): Promise<string[]> {
  const { scenarioId, scenarioName, outcome } = simulationResults;
  const last = await db
    .selectDistinctOn([scenarioId], { scenarioName, outcome })
    .from(simulationResults)
    .innerJoin(simulations, eq(simulations.id, simulationResults.simulationId))
    .where(
      and(
        ofAgent(workspaceId, agentId),
        eq(simulations.agentVersionId, versionId),
        inArray(outcome, ['passed', 'failed', 'not_judged']),
      ),
    )
    .orderBy(scenarioId, desc(simulations.createdAt), desc(simulations.id));
  return last
    .flatMap((each) => (each.outcome === 'not_judged' ? [each.scenarioName] : []))
    .toSorted((one, other) => one.localeCompare(other));
}

/** Whether a run that this one is compared with is not over: one before it, of a published version, in the same mode. */
export async function awaitsRunBefore(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, mode, createdAt }: Pick<SimulationRow, 'agentId' | 'mode' | 'createdAt'>,
): Promise<boolean> {
  const found = await db
    .select({ id: simulations.id })
    .from(simulations)
    .where(
      and(
        ofAgent(workspaceId, agentId),
        eq(simulations.status, 'running'),
        eq(simulations.mode, mode),
        isNotNull(simulations.versionNumber),
        lt(simulations.createdAt, createdAt),
      ),
    )
    .limit(1);
  return found.length > 0;
}

export async function countOpenResults(db: Database, workspaceId: WorkspaceId): Promise<number> {
  return db.$count(
    simulationResults,
    and(eq(simulationResults.workspaceId, workspaceId), ne(simulationResults.status, 'ended')),
  );
}

/** Deletes all but the latest of an agent, and none that still runs. */
export async function deleteOldSimulations(
  db: Database,
  workspaceId: WorkspaceId,
  { agentId, keep }: { agentId: string; keep: number },
): Promise<void> {
  const kept = db
    .select({ id: simulations.id })
    .from(simulations)
    .where(ofAgent(workspaceId, agentId))
    .orderBy(desc(simulations.createdAt), desc(simulations.id))
    .limit(keep);
  await db
    .delete(simulations)
    .where(
      and(
        ofAgent(workspaceId, agentId),
        ne(simulations.status, 'running'),
        sql`${simulations.id} not in ${kept}`,
      ),
    );
}

/** Deletes what has words of these conversations, and simulations of which nothing is left. */
export async function deleteResultsOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  const gone = await tx
    .delete(simulationResults)
    .where(
      and(
        eq(simulationResults.workspaceId, workspaceId),
        inArray(simulationResults.sourceCallId, [...callIds]),
      ),
    )
    .returning({ simulationId: simulationResults.simulationId });
  if (gone.length === 0) return;
  const results = tx
    .select({ one: sql`1` })
    .from(simulationResults)
    .where(eq(simulationResults.simulationId, simulations.id));
  await tx.delete(simulations).where(
    and(
      eq(simulations.workspaceId, workspaceId),
      inArray(
        simulations.id,
        gone.map(({ simulationId }) => simulationId),
      ),
      notExists(results),
    ),
  );
}

/** Ends a simulation that runs, with all that was not over. False where it did not run. */
export async function cancelSimulation(
  tx: Database,
  workspaceId: WorkspaceId,
  { simulationId, at }: { simulationId: string; at: Date },
): Promise<boolean> {
  const rows = await tx
    .update(simulations)
    .set({ status: 'cancelled', endedAt: at })
    .where(
      and(
        eq(simulations.workspaceId, workspaceId),
        eq(simulations.id, simulationId),
        eq(simulations.status, 'running'),
      ),
    )
    .returning({ id: simulations.id });
  if (rows.length === 0) return false;
  await tx
    .update(simulationResults)
    .set({ status: 'ended', outcome: 'cancelled', endedAt: at, leaseOwner: null, leaseExpiresAt: null })
    .where(and(ofSimulation(workspaceId, simulationId), ne(simulationResults.status, 'ended')));
  return true;
}
