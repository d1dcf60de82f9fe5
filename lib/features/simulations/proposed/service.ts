import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';
import { listToolUses, listTurns } from '#lib/features/calls/execution/repository.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import type { Scenario } from '../scenarios/contract.ts';
import type { ScenarioService } from '../scenarios/service.ts';
import { proposeScenario } from './rules.ts';

/** Makes scenarios of conversations that took place. */
export function createProposals(
  deps: Pick<Dependencies, 'db'> & { scenarios: Pick<ScenarioService, 'create'> },
) {
  const { db, scenarios } = deps;
  return {
    /**
     * Makes a scenario for the agent of a conversation that is over. Throws 400 where the person said nothing or its prompt
     * is gone, 403 and 404 for the conversation and for an agent that was deleted.
     */
    async makeScenario(actor: Actor, callId: string): Promise<Scenario> {
      const call = await findCall(db, actor.workspaceId, callId);
      if (call.status !== 'ended') throw new AppError('INVALID_STATE', 'The conversation is not over');
      const [turns, toolUses] = await Promise.all([
        listTurns(db, actor.workspaceId, callId),
        listToolUses(db, actor.workspaceId, callId),
      ]);
      const proposed = proposeScenario({ call, turns, toolUses });
      if (!proposed) throw new AppError('INVALID_STATE', 'The person said nothing in this conversation');
      return scenarios.create(actor, call.agentId, proposed, callId);
    },
  };
}
