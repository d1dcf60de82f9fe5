import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, isAppError, notFound, validationError } from '#lib/errors.ts';
import { assertAgent } from '#lib/features/agents/repository.ts';
import { assertBase } from '#lib/features/base.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { lockEndedCall } from '#lib/features/calls/ended/repository.ts';
import { findPrompt } from '#lib/features/prompts/repository.ts';
import { SIMULATION_LIMITS } from '../rules.ts';
import type { Scenario, ScenarioBody, ScenarioChange } from './contract.ts';
import {
  countScenarios,
  deleteScenario,
  findScenario,
  insertScenario,
  lockScenario,
  listScenarios,
  type ScenarioRow,
  updateScenario,
} from './repository.ts';

type ScenarioIds = { agentId: string; scenarioId: string };

export type ScenarioService = ReturnType<typeof createScenarioService>;

/** What agents are tried with. */
export function createScenarioService(deps: Pick<Dependencies, 'db' | 'clock' | 'ids'>) {
  const { db, clock, ids } = deps;

  async function find(actor: Actor, { agentId, scenarioId }: ScenarioIds): Promise<ScenarioRow> {
    const row = await findScenario(db, actor.workspaceId, scenarioId);
    if (row.agentId !== agentId) throw notFound('Scenario');
    return row;
  }

  /** Throws 400 where it names a prompt that the agent has not. */
  async function checkPrompt(actor: Actor, agentId: string, { content }: ScenarioBody): Promise<void> {
    const { outboundPromptId: promptId } = content;
    if (promptId === null) return;
    await findPrompt(db, actor.workspaceId, { agentId, promptId }).catch((error: unknown) => {
      if (!isAppError(error)) throw error;
      throw validationError([{ field: 'content.outboundPromptId', reason: 'is no prompt of this agent' }]);
    });
  }

  async function create(
    actor: Actor,
    agentId: string,
    body: ScenarioBody,
    sourceCallId: string | null = null,
  ): Promise<Scenario> {
    await assertAgent(db, actor.workspaceId, agentId);
    await checkPrompt(actor, agentId, body);
    if ((await countScenarios(db, actor.workspaceId, agentId)) >= SIMULATION_LIMITS.scenariosPerAgent)
      throw new AppError(
        'INVALID_STATE',
        `An agent has at most ${SIMULATION_LIMITS.scenariosPerAgent} scenarios`,
      );
    return db.transaction(async (tx) => {
      // Not of one that is being deleted.
      if (sourceCallId !== null) await lockEndedCall(tx, actor.workspaceId, sourceCallId);
      const now = clock.now();
      const row = await insertScenario(tx, actor.workspaceId, {
        id: ids.next('scn'),
        agentId,
        ...body,
        sourceCallId,
        createdBy: actor.label,
        createdAt: now,
        updatedAt: now,
      });
      await note(tx, actor, 'scenario.created', row);
      return shown(row);
    });
  }

  /** The name of one that was made of a conversation may be words of the person, and the log outlives those. */
  const note = (tx: typeof db, actor: Actor, action: string, { agentId, name, sourceCallId }: ScenarioRow) =>
    recordAudit(tx, clock, actor, {
      action,
      targetId: agentId,
      data: sourceCallId === null ? { name } : { madeOf: sourceCallId },
    });

  return {
    create,

    async list(actor: Actor, agentId: string): Promise<Scenario[]> {
      await assertAgent(db, actor.workspaceId, agentId);
      return (await listScenarios(db, actor.workspaceId, { agentId })).map(shown);
    },

    /** Throws 400, 403 and 404. */
    async update(actor: Actor, wanted: ScenarioIds, body: ScenarioChange): Promise<Scenario> {
      await find(actor, wanted);
      await checkPrompt(actor, wanted.agentId, body);
      return db.transaction(async (tx) => {
        const { name, content } = await lockScenario(tx, actor.workspaceId, wanted.scenarioId);
        assertBase(actor, { name, content });
        const { sourceCallId, ...fields } = body;
        const change = {
          ...fields,
          updatedAt: clock.now(),
          ...(sourceCallId === null ? { sourceCallId } : {}),
        };
        const row = await updateScenario(tx, actor.workspaceId, wanted.scenarioId, change);
        await note(tx, actor, 'scenario.updated', row);
        return shown(row);
      });
    },

    /** What was run with it stays. Throws 403 and 404. */
    async remove(actor: Actor, wanted: ScenarioIds): Promise<void> {
      const row = await find(actor, wanted);
      await db.transaction(async (tx) => {
        await deleteScenario(tx, actor.workspaceId, wanted.scenarioId);
        await note(tx, actor, 'scenario.deleted', row);
      });
    },
  };
}

function shown({ updatedAt, ...row }: ScenarioRow): Scenario {
  const { id, agentId, name, content, sourceCallId, createdBy } = row;
  return { id, agentId, name, content, sourceCallId, createdBy, updatedAt: updatedAt.toISOString() };
}
