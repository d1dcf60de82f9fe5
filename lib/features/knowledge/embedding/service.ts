import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { JobKind } from '#lib/ports/queue.ts';
import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';
import { findBase, type KnowledgeBaseRow } from '../bases/repository.ts';
import { deleteOldVectors } from '../content/repository.ts';
import { type EmbeddingDeps, embedMissing } from './missing.ts';
import { chunksWithoutVector, embeddingCounts, lockBase, setTarget, switchModel } from './repository.ts';

export type ReembedPayload = { workspaceId: string; knowledgeBaseId: string };
export const reembedJob: JobKind<ReembedPayload> = { name: 'knowledge.reembed' };

export type EmbeddingService = ReturnType<typeof createEmbeddingService>;

/** The vectors of a collection: which model answers, and moving to another one while the old vectors still answer. */
export function createEmbeddingService(deps: EmbeddingDeps & Pick<Dependencies, 'queue' | 'log'>) {
  async function state(workspaceId: WorkspaceId, base: KnowledgeBaseRow) {
    // Also before the job that begins at the start of the service has noted it.
    const wanted = deps.embedders.current.model;
    const targetModel = base.targetModel ?? (base.embeddingModel === wanted ? null : wanted);
    const counts = await embeddingCounts(deps.db, workspaceId, {
      baseId: base.id,
      model: targetModel ?? base.embeddingModel,
    });
    return {
      model: base.embeddingModel,
      kind: base.embeddingModel === LEXICAL_MODEL ? ('lexical' as const) : ('semantic' as const),
      targetModel,
      ...counts,
      errorMessage: base.reembedError,
    };
  }

  /**
   * Makes the vectors of the model of the settings, and lets them answer once every visible chunk has one. Can be
   * stopped and begun again at any point: it goes on with what is missing.
   */
  async function reembed(workspaceId: WorkspaceId, baseId: string, signal: AbortSignal): Promise<void> {
    const model = deps.embedders.current.model;
    const base = await findBase(deps.db, workspaceId, baseId);
    if (base.embeddingModel !== model) {
      await setTarget(deps.db, workspaceId, { baseId, targetModel: model, error: null });
      try {
        do await embedMissing(deps, { workspaceId, knowledgeBaseId: baseId, model, signal });
        while (!(await switchWhenComplete(deps, workspaceId, { baseId, model })));
      } catch (error) {
        const reason =
          error instanceof Error && error.name === 'EmbeddingFailed'
            ? error.message
            : 'Embedding was interrupted; it is tried again.';
        await setTarget(deps.db, workspaceId, { baseId, targetModel: model, error: reason });
        throw error;
      }
    }
    await deleteOldVectors(deps.db, workspaceId, { baseId, model, signal });
  }

  return {
    state,
    reembed,
    /** Queues the move to the model of the settings, where it is needed. */
    async start(actor: Actor, baseId: string) {
      const base = await findBase(deps.db, actor.workspaceId, baseId);
      const model = deps.embedders.current.model;
      if (base.embeddingModel !== model) {
        await setTarget(deps.db, actor.workspaceId, { baseId, targetModel: model, error: null });
        await deps.queue.send(
          reembedJob,
          { workspaceId: actor.workspaceId, knowledgeBaseId: baseId },
          { singletonKey: baseId },
        );
      }
      return state(actor.workspaceId, await findBase(deps.db, actor.workspaceId, baseId));
    },
  };
}

/** False when a document became visible meanwhile that has no vectors of the new model. */
function switchWhenComplete(
  deps: EmbeddingDeps,
  workspaceId: WorkspaceId,
  { baseId, model }: { baseId: string; model: string },
): Promise<boolean> {
  return deps.db.transaction(async (tx) => {
    if (!(await lockBase(tx, workspaceId, baseId))) return true;
    const missing = await chunksWithoutVector(tx, workspaceId, {
      knowledgeBaseId: baseId,
      model,
      limit: 1,
    });
    if (missing.length > 0) return false;
    await switchModel(tx, workspaceId, { baseId, model });
    return true;
  });
}
