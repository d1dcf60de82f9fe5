import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import { noteVersion } from '#lib/features/versions/service.ts';
import { type AgentRow, findAgent, lockAgent, updateAgent } from '../repository.ts';
import { listResultNames } from './repository.ts';
import type { ResultField } from './rules.ts';

/** What the conversations of an agent shall yield (docs/structured-results.md). */
export function createResultFieldsService(deps: Pick<Dependencies, 'db' | 'clock' | 'ids'>) {
  async function shown(actor: Actor, { id, resultFields }: AgentRow) {
    const known = await listResultNames(deps.db, actor.workspaceId, id);
    const former = known.filter(
      (each) => !resultFields.some(({ name, type }) => name === each.name && type === each.type),
    );
    return { fields: resultFields, former };
  }
  return {
    /** 404 for an unknown id, 403 for another workspace's agent. */
    async get(actor: Actor, agentId: string) {
      return shown(actor, await findAgent(deps.db, actor.workspaceId, agentId));
    },

    /** Replaces the list. Earlier conversations keep what they yielded, under the names that fields had then. */
    async set(actor: Actor, agentId: string, resultFields: ResultField[]) {
      const saved = await deps.db.transaction(async (tx) => {
        const before = await lockAgent(tx, actor.workspaceId, agentId);
        assertBase(actor, { fields: before.resultFields });
        const changes = changesBetween<Partial<AgentRow>>(before, { resultFields });
        if (Object.keys(changes).length === 0) return before;
        const updatedAt = deps.clock.now();
        const after = await updateAgent(tx, actor.workspaceId, agentId, { resultFields, updatedAt });
        const names = resultFields.map(({ name }) => name);
        await recordAudit(tx, deps.clock, actor, {
          action: 'agent.result_fields.updated',
          targetId: agentId,
          data: { name: after.name, fields: names },
        });
        await noteVersion(tx, deps, actor, agentId);
        return after;
      });
      return shown(actor, saved);
    },
  };
}
