import type { Embedder } from '#lib/ports/embedder.ts';
import { LEXICAL_DIMENSIONS } from '#lib/text/features.ts';
import { LEXICAL_MODEL, lexicalVector } from '#lib/text/lexical-vector.ts';

/** The embedder that needs no model and no key; lib/text/lexical-vector.ts says what it can and cannot find. */
export function createLocalEmbedder(): Embedder {
  return {
    model: LEXICAL_MODEL,
    dimensions: LEXICAL_DIMENSIONS,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const text of texts) {
        signal?.throwIfAborted();
        vectors.push(lexicalVector(text));
        // One text takes under a millisecond; a long list must not hold up the process.
        if (vectors.length % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      return vectors;
    },
  };
}
