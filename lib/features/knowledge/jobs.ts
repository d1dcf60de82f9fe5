import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { KnowledgeDeps, KnowledgeService } from './service.ts';
import { basesOnOtherModels } from './embedding/repository.ts';
import { reembedJob } from './embedding/service.ts';
import { failAbandonedDocuments, removeLeftovers, removeOrphanFiles } from './documents/sweep/service.ts';

/** Often enough that one or two turns may be lost. */
const SWEEP_EVERY_MS = 2_000;
const LEFTOVER_SWEEP_EVERY_MS = 10 * 60_000;

/**
 * Background work of knowledge bases: what a crash left, and moving collections to the model of the settings. On the
 * embedded database this process is the only one, so whatever is open at the start was left by a crash.
 */
export async function registerKnowledgeJobs(deps: KnowledgeDeps, knowledge: KnowledgeService): Promise<void> {
  await failAbandonedDocuments(deps, { all: deps.database.pglite !== undefined });
  await removeLeftovers(deps);
  await removeOrphanFiles(deps);
  await deps.queue.every('knowledge.documents', SWEEP_EVERY_MS, () =>
    failAbandonedDocuments(deps, { all: false }),
  );
  await deps.queue.every('knowledge.leftovers', LEFTOVER_SWEEP_EVERY_MS, async () => {
    await removeLeftovers(deps);
    await removeOrphanFiles(deps);
  });
  await deps.queue.work(
    reembedJob,
    { concurrency: 1, retryLimit: 5, expireInSeconds: 6 * 3_600 },
    (payload, signal) =>
      knowledge.embedding.reembed(mintWorkspaceId(payload.workspaceId), payload.knowledgeBaseId, signal),
  );
  for (const base of await basesOnOtherModels(deps.db, deps.embedders.current.model)) {
    await deps.queue.send(
      reembedJob,
      { workspaceId: base.workspaceId, knowledgeBaseId: base.id },
      { singletonKey: base.id },
    );
  }
}
