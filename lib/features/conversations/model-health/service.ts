import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { FATAL_FAILURES } from '#lib/ports/provider-failure.ts';
import type { ModelHealth } from './contract.ts';
import { findLastModelUse } from './repository.ts';

export type ModelHealthService = ReturnType<typeof createModelHealthService>;

/**
 * Whether the language model and the transcription work, as the workspace's calls have found it: what they told of it is
 * stored with them, so it is known after a restart, and the next call that is answered without it clears it.
 */
export function createModelHealthService({ db }: Pick<Dependencies, 'db'>) {
  return {
    async get(actor: Actor): Promise<ModelHealth> {
      const found = await findLastModelUse(db, actor.workspaceId);
      const kind = FATAL_FAILURES.find((known) => known === found?.kind);
      if (!found || !kind) return { problem: null };
      const { callId, type, model, atMs } = found;
      const part = type === 'transcription_failed' ? 'transcription' : 'language';
      return { problem: { part, kind, model: model ?? '', callId, at: Math.round(atMs ?? 0) } };
    },
  };
}
