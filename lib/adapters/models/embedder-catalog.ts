import type { Clock } from '#lib/ports/clock.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import { createLocalEmbedder } from './local/embedder.ts';
import { createOpenAiEmbedder } from './openai/embedder.ts';

/**
 * The embedders of the settings: the model server's where one is set, else the local one. Vectors of an earlier model
 * of the same server can still be asked, and local ones always; so a collection answers while it is moved.
 */
export function createEmbedderCatalog(
  openai: { apiKey: string; baseUrl: string | undefined; embeddingModel: string } | undefined,
  clock: Clock,
): EmbedderCatalog {
  const local = createLocalEmbedder();
  if (!openai) return { current: local, of: (model) => (model === local.model ? local : undefined) };
  const current = createOpenAiEmbedder({ ...openai, model: openai.embeddingModel, clock });
  return {
    current,
    of(model) {
      if (model === local.model) return local;
      return model === current.model ? current : createOpenAiEmbedder({ ...openai, model, clock });
    },
  };
}
