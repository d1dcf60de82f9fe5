import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { findAgent, assertAgent } from '#lib/features/agents/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findVersion } from '#lib/features/versions/repository.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import type { Simulation, SimulationSummary, WantedSimulation } from './contract.ts';
import type { SimulationExecution } from './execution/service.ts';
import {
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
import { SIMULATION_LIMITS } from './rules.ts';
import { listScenarios, lockScenarios, type ScenarioRow } from './scenarios/repository.ts';
import { countsOf, shownSimulation, shownSummary } from './shown.ts';

const SHOWN_AT_ONCE = 50;

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
    const before = await listResultsBefore(db, workspaceId, { simulation, scenarioIds });
    return shownSimulation(simulation, results, { before, hasTranscripts });
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
      const open = await countOpenResults(db, workspaceId);
      if (open + scenarios.length > SIMULATION_LIMITS.openResults)
        throw new AppError(
          'INVALID_STATE',
          `At most ${SIMULATION_LIMITS.openResults} conversations of simulations wait at a time`,
        );
      const version = versionId
        ? await findVersion(db, workspaceId, { agentId, versionId })
        : await findPublishedVersion(actor, agentId);
      const simulationId = ids.next('sim');
      await db.transaction(async (tx) => {
        const held = await lockScenarios(
          tx,
          workspaceId,
          scenarios.map(({ id }) => id),
        );
        if (held.size < scenarios.length) throw notFound('Scenario');
        const keep = SIMULATION_LIMITS.keptPerAgent - 1;
        await deleteOldSimulations(tx, workspaceId, { agentId, keep });
        await insertSimulation(
          tx,
          workspaceId,
          {
            id: simulationId,
            agentId,
            mode,
            agentVersionId: version.id,
            versionNumber: version.number,
            startedBy: actor.label,
            createdAt: clock.now(),
          },
          scenarios.map(({ id, name, content, sourceCallId }, position) => ({
            id: ids.next('simres'),
            scenarioId: id,
            scenarioName: name,
            content,
            sourceCallId,
            position,
          })),
        );
        const data = { name: agent.name, scenarios: scenarios.length };
        await recordAudit(tx, clock, actor, { action: 'simulation.started', targetId: agentId, data });
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
