import type { Actor } from '#lib/auth/actor.ts';
import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { findAgent, assertAgent } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findVersion } from '#lib/features/versions/repository.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import type { Simulation, SimulationSummary, WantedSimulation } from './contract.ts';
import type { SimulationExecution } from './execution/service.ts';
import {
  awaitsRunBefore,
  cancelSimulation,
  countOpenResults,
  countOutcomes,
  deleteOldSimulations,
  findSimulation,
  insertSimulation,
  listResults,
  listResultsBefore,
  listSimulations,
} from './repository.ts';
import { SIMULATION_LIMITS, type SimulationMode } from './rules.ts';
import { listScenarios, lockScenarios, type ScenarioRow } from './scenarios/repository.ts';
import { countsOf, shownSimulation, shownSummary } from './shown.ts';

const SHOWN_AT_ONCE = 50;

/** One simulation that is to be started. */
type Run = {
  version: Awaited<ReturnType<typeof findVersion>>;
  scenarios: ScenarioRow[];
  createdAt: Date;
};

type SimulationIds = { agentId: string; simulationId: string };

export type SimulationService = ReturnType<typeof createSimulationService>;

/** Simulations: an agent talks to people who are played, and what must happen is checked. */
export function createSimulationService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids'> & {
    execution: Pick<SimulationExecution, 'look' | 'cancel'>;
  },
) {
  const { db, clock, ids, execution } = deps;

  async function get(
    actor: Actor,
    wanted: SimulationIds,
    { hasTranscripts = false } = {},
  ): Promise<Simulation> {
    const { workspaceId } = actor;
    const simulation = await findSimulation(db, workspaceId, wanted);
    const results = await listResults(db, workspaceId, simulation.id);
    const scenarioIds = results.map(({ scenarioId }) => scenarioId);
    const [before, awaitsComparison] = await Promise.all([
      listResultsBefore(db, workspaceId, { simulation, scenarioIds }),
      awaitsRunBefore(db, workspaceId, simulation),
    ]);
    return { ...shownSimulation(simulation, results, { before, hasTranscripts }), awaitsComparison };
  }

  /** The scenarios asked for. Throws 404 for one that the agent has not, 400 where there are none. */
  async function chooseScenarios(
    actor: Actor,
    agentId: string,
    wanted: readonly string[] | undefined,
  ): Promise<ScenarioRow[]> {
    const all = await listScenarios(db, actor.workspaceId, { agentId });
    if (all.length === 0) throw new AppError('INVALID_STATE', 'The agent has no scenarios to be tried with');
    if (!wanted) return all;
    const isWanted = ({ id, name }: ScenarioRow) => wanted.includes(id) || wanted.includes(name);
    const missing = wanted.find((each) => !all.some(({ id, name }) => id === each || name === each));
    if (missing !== undefined) throw notFound('Scenario');
    return all.filter(isWanted);
  }

  /** What callers have now. Throws 404 where the agent is gone. */
  async function findPublishedVersion({ workspaceId }: Actor, agentId: string) {
    const versionId = await currentVersionId(db, ids, workspaceId, agentId);
    if (versionId === undefined) throw notFound('Agent');
    return findVersion(db, workspaceId, { agentId, versionId });
  }

  /**
   * What is to be run: the version that is wanted, and of a draft, before it, what is published with those of the scenarios
   * that it was not tried with, so that there is something to compare with.
   */
  async function planRuns(
    actor: Actor,
    agentId: string,
    { scenarios, mode, versionId }: { scenarios: ScenarioRow[]; mode: SimulationMode; versionId?: string },
  ): Promise<Run[]> {
    const { workspaceId } = actor;
    const createdAt = clock.now();
    if (versionId === undefined)
      return [{ version: await findPublishedVersion(actor, agentId), scenarios, createdAt }];
    const version = await findVersion(db, workspaceId, { agentId, versionId });
    const run = { version, scenarios, createdAt };
    if (version.number !== null) return [run];
    const published = await findPublishedVersion(actor, agentId);
    const scenarioIds = scenarios.map(({ id }) => id);
    const simulation = { id: '', mode, createdAt };
    const before = await listResultsBefore(db, workspaceId, { simulation, scenarioIds });
    const isTried = ({ id }: ScenarioRow) =>
      before.some((each) => each.scenarioId === id && each.agentVersionId === published.id);
    const untried = scenarios.filter((scenario) => !isTried(scenario));
    if (untried.length === 0) return [run];
    return [{ version: published, scenarios: untried, createdAt: new Date(createdAt.getTime() - 1) }, run];
  }

  /** Gives the id of the simulation. */
  async function insertRun(
    tx: Database,
    actor: Actor,
    { agentId, mode, run }: { agentId: string; mode: SimulationMode; run: Run },
  ): Promise<string> {
    const { version, createdAt } = run;
    const simulation = {
      id: ids.next('sim'),
      agentId,
      mode,
      agentVersionId: version.id,
      versionNumber: version.number,
      startedBy: actor.label,
      createdAt,
    };
    const results = run.scenarios.map(({ id, name, content, sourceCallId }, position) => ({
      id: ids.next('simres'),
      scenarioId: id,
      scenarioName: name,
      content,
      sourceCallId,
      position,
    }));
    await insertSimulation(tx, actor.workspaceId, simulation, results);
    return simulation.id;
  }

  return {
    get,

    /** Starts the conversations of an agent with its scenarios. Throws 400, 403 and 404. */
    async start(
      actor: Actor,
      agentId: string,
      { scenarios: wanted, mode = 'text', agentVersionId: versionId }: WantedSimulation,
    ): Promise<Simulation> {
      const { workspaceId } = actor;
      const agent = await findAgent(db, workspaceId, agentId);
      const scenarios = await chooseScenarios(actor, agentId, wanted);
      const runs = await planRuns(actor, agentId, { scenarios, mode, ...(versionId ? { versionId } : {}) });
      const open = await countOpenResults(db, workspaceId);
      const added = runs.reduce((sum, run) => sum + run.scenarios.length, 0);
      if (open + added > SIMULATION_LIMITS.openResults)
        throw new AppError(
          'INVALID_STATE',
          `At most ${SIMULATION_LIMITS.openResults} conversations of simulations wait at a time`,
        );
      const simulationId = await db.transaction(async (tx) => {
        const held = await lockScenarios(
          tx,
          workspaceId,
          scenarios.map(({ id }) => id),
        );
        if (held.size < scenarios.length) throw notFound('Scenario');
        const keep = SIMULATION_LIMITS.keptPerAgent - runs.length;
        await deleteOldSimulations(tx, workspaceId, { agentId, keep });
        const data = { name: agent.name, scenarios: scenarios.length };
        await recordAudit(tx, clock, actor, { action: 'simulation.started', targetId: agentId, data });
        let id = '';
        for (const run of runs) id = await insertRun(tx, actor, { agentId, mode, run });
        return id;
      });
      // Whoever works here need not wait for its next look; a failure is told there.
      execution.look().catch(() => undefined);
      return get(actor, { agentId, simulationId });
    },

    async list(actor: Actor, agentId: string): Promise<SimulationSummary[]> {
      const { workspaceId } = actor;
      await assertAgent(db, workspaceId, agentId);
      const rows = await listSimulations(db, workspaceId, { agentId, limit: SHOWN_AT_ONCE });
      const counts = await countOutcomes(
        db,
        workspaceId,
        rows.map(({ id }) => id),
      );
      return rows.map((row) =>
        shownSummary(row, countsOf(counts.filter(({ simulationId }) => simulationId === row.id))),
      );
    },

    /** Ends what of it is not over. One that is over stays as it is. Throws 403 and 404. */
    async cancel(actor: Actor, wanted: SimulationIds): Promise<Simulation> {
      const { simulationId, agentId } = wanted;
      await findSimulation(db, actor.workspaceId, wanted);
      const at = clock.now();
      await db.transaction(async (tx) => {
        if (!(await cancelSimulation(tx, actor.workspaceId, { simulationId, at }))) return;
        await recordAudit(tx, clock, actor, { action: 'simulation.cancelled', targetId: agentId });
      });
      execution.cancel(simulationId);
      return get(actor, wanted);
    },
  };
}
