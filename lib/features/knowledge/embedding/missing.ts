import { setImmediate } from 'node:timers/promises';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { copyRows } from '../content/repository.ts';
import { vectorRows } from '../content/rows.ts';
import { embeddedText } from '../parse/embedded-text.ts';
import type { ChunkKey } from '../rules.ts';
import { storedVector } from './vector-codes.ts';
import { chunksWithoutVector, type MissingScope } from './repository.ts';

/** Chunks per round: a few requests' worth for a model server, and little memory. */
const ROUND_CHUNKS = 256;
/** Rows per statement, so that no write holds up other requests for long. */
const COPY_ROWS = 32;

export type EmbeddingDeps = Pick<Dependencies, 'db' | 'database'> & { embedders: EmbedderCatalog };

/** Embeds every chunk in scope that has no vector of `model` yet. `onProgress` hears after each round. */
export async function embedMissing(
  deps: EmbeddingDeps,
  scope: {
    workspaceId: WorkspaceId;
    model: string;
    signal: AbortSignal;
    onProgress?: () => Promise<void>;
  } & MissingScope,
): Promise<void> {
  const embedder = deps.embedders.of(scope.model);
  if (!embedder) throw new Error(`no embedder for ${scope.model}`);
  // Each round begins behind the last one: from the start, the rounds of 100,000 chunks would pass over 20 million.
  let after: ChunkKey | undefined;
  for (;;) {
    scope.signal.throwIfAborted();
    const missing = await chunksWithoutVector(deps.db, scope.workspaceId, {
      ...scope,
      after,
      limit: ROUND_CHUNKS,
    });
    if (missing.length === 0) return;
    after = missing.at(-1);
    const vectors = await embedder.embed(
      missing.map((chunk) => embeddedText(chunk.text, chunk.source)),
      scope.signal,
    );
    for (let at = 0; at < missing.length; at += COPY_ROWS) {
      const part = missing.slice(at, at + COPY_ROWS).flatMap((chunk, index) => {
        const vector = vectors[at + index];
        if (!vector) return [];
        return [
          { ...storedVector(vector), documentId: chunk.documentId, model: scope.model, seq: chunk.seq },
        ];
      });
      if (part.length > 0) await copyRows(deps.database, vectorRows(part));
      // The embedded database answers without giving the event loop a turn.
      await setImmediate();
    }
    await scope.onProgress?.();
  }
}
