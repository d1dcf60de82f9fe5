import type { Dependencies } from '#lib/dependencies.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import { createKnowledgeBaseService } from './bases/service.ts';
import { createDocumentProcessing } from './documents/processing/service.ts';
import { createDocumentService } from './documents/service.ts';
import { createEmbeddingService } from './embedding/service.ts';
import { createParsePool } from './parse/pool.ts';
import { createKnowledgeSearch } from './search/service.ts';

/** Parsing processes at once, each up to 512 MB. */
const PARSE_PROCESSES = 2;

export type KnowledgeDeps = Pick<
  Dependencies,
  'db' | 'database' | 'clock' | 'ids' | 'log' | 'queue' | 'storage' | 'tracer'
> & { embedders: EmbedderCatalog };
export type KnowledgeService = ReturnType<typeof createKnowledgeService>;

/** Knowledge bases: documents in, answers out. `search` and `searchForCall` are the one way to ask. */
export function createKnowledgeService(deps: KnowledgeDeps) {
  const parsePool = createParsePool(PARSE_PROCESSES);
  const processing = createDocumentProcessing({ ...deps, parsePool });
  const embedding = createEmbeddingService(deps);
  return {
    bases: createKnowledgeBaseService({ ...deps, processing, embedding }),
    documents: createDocumentService({ ...deps, parsePool, processing }),
    embedding,
    ...createKnowledgeSearch(deps),
    /** Ends the documents in progress as FAILED with a reason; call it before the database closes. */
    async stop(): Promise<void> {
      processing.stop();
      while (processing.activeCount() > 0) await deps.clock.sleep(20);
    },
  };
}
