import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { keepRenewing } from '#lib/heartbeat.ts';
import { describeError } from '#lib/log.ts';
import type { EmbedderCatalog } from '#lib/ports/embedder.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { currentTrace, traceOf } from '#lib/trace/context.ts';
import { findBase } from '../../bases/repository.ts';
import { embedMissing } from '../../embedding/missing.ts';
import type { ParsePool } from '../../parse/pool.ts';
import { comesWithVectors } from '../../parse/protocol.ts';
import { limitsFor, UnreadableDocument } from '../../parse/unreadable.ts';
import { clearContents, copyRows, deleteLeftovers, dropOtherModels } from '../../content/repository.ts';
import {
  type DocumentRow,
  findDocument,
  lockCollectionModel,
  moveDocument,
  renewLease,
} from '../repository.ts';

export const LEASE_MS = 20_000;
const RENEW_EVERY_MS = 5_000;
/** A collection whose model changes while a document is processed is followed; it changes once, not five times. */
const MAX_MODEL_CHANGES = 5;

export type ProcessingDeps = Pick<
  Dependencies,
  'db' | 'database' | 'clock' | 'ids' | 'log' | 'storage' | 'tracer'
> & {
  embedders: EmbedderCatalog;
  parsePool: ParsePool;
};

/**
 * Takes a PENDING document through the machine: parse and split in a child process, embed, index, show. The document
 * becomes visible with all its chunks or FAILED with a reason and none. Every step is a guarded update by the holder
 * of the lease, so that a deletion or the sweep wins over a worker that goes on.
 */
export function createDocumentProcessing(deps: ProcessingDeps) {
  const active = new Map<string, AbortController>();

  /** Resolves with the document as COMPLETED or FAILED. Throws 404 when it is deleted meanwhile. */
  async function process(
    workspaceId: WorkspaceId,
    document: DocumentRow,
    token: string,
  ): Promise<DocumentRow> {
    const abort = new AbortController();
    active.set(document.id, abort);
    const heartbeat = keepLease(workspaceId, document.id, token, abort);
    const startedAt = deps.clock.now();
    try {
      const done = await work(workspaceId, document, token, abort.signal);
      tell(done, startedAt);
      return done;
    } catch (error) {
      const failed = await fail(workspaceId, document, token, error);
      tell(failed, startedAt);
      return failed;
    } finally {
      active.delete(document.id);
      abort.abort(new Error('finished'));
      await heartbeat;
    }
  }

  /** One line, and one span, for each document that was worked on. */
  function tell(
    { id, workspaceId, fileType, fileSize, status, chunkCount }: DocumentRow,
    startedAt: Date,
  ): void {
    const endedAt = deps.clock.now();
    const asked = currentTrace();
    const trace = traceOf(id, asked);
    deps.tracer.record({
      name: 'process document',
      kind: 'internal',
      trace,
      parentSpanId: asked?.spanId,
      startedAt,
      endedAt,
      attributes: {
        'callwright.document_id': id,
        'callwright.file_type': fileType,
        'callwright.bytes': fileSize,
      },
      error: status === 'FAILED' ? 'failed' : undefined,
    });
    deps.log.info({
      event: 'document',
      traceId: trace.traceId,
      documentId: id,
      workspaceId,
      fileType,
      fileSize,
      status,
      chunkCount,
      durationMs: endedAt.getTime() - startedAt.getTime(),
    });
  }

  async function work(
    workspaceId: WorkspaceId,
    document: DocumentRow,
    token: string,
    signal: AbortSignal,
  ): Promise<DocumentRow> {
    const base = await findBase(deps.db, workspaceId, document.knowledgeBaseId);
    let model = deps.embedders.of(base.embeddingModel) ? base.embeddingModel : deps.embedders.current.model;
    const parsed = await parse(workspaceId, { document, token, model, signal });
    for (let attempt = 0; attempt < MAX_MODEL_CHANGES; attempt++) {
      // Looking for missing ones among 27,000 holds up others, so not where all came with the chunks.
      if (attempt > 0 || !comesWithVectors(model))
        await embedMissing(deps, { workspaceId, documentId: document.id, model, signal });
      const done = await complete(workspaceId, {
        document,
        token,
        model,
        hasOtherVectors: attempt > 0,
        ...parsed,
      });
      if (done.document) {
        passFaultPoint('document.completed');
        return done.document;
      }
      model = done.wantedModel;
    }
    throw new Error('the model of the collection kept changing');
  }

  function parse(
    workspaceId: WorkspaceId,
    job: { document: DocumentRow; token: string; model: string; signal: AbortSignal },
  ) {
    const { document, token, model, signal } = job;
    return deps.parsePool.run({
      workspaceId,
      signal,
      order: {
        documentId: document.id,
        fileType: document.fileType,
        sizeBytes: document.fileSize,
        limits: limitsFor(document.fileSize),
        model,
      },
      async open() {
        const stored = await deps.storage.open(document.storageKey);
        if (!stored) throw new Error('the stored file is gone');
        return stored.body;
      },
      async onStart() {
        const started = await moveDocument(deps.db, workspaceId, {
          id: document.id,
          event: 'start',
          token,
          change: {},
        });
        if (!started) throw notFound('Document');
        passFaultPoint('document.started');
        // What an earlier attempt wrote after it had lost its lease.
        await clearContents(deps.db, document.id);
      },
      async onRows(rows) {
        signal.throwIfAborted();
        await copyRows(deps.database, rows);
        passFaultPoint('document.rows_copied');
      },
    });
  }

  /** Shows the document, unless its collection has meanwhile moved to another model. */
  function complete(
    workspaceId: WorkspaceId,
    result: {
      document: DocumentRow;
      token: string;
      model: string;
      hasOtherVectors: boolean;
      textLength: number;
      chunkCount: number;
    },
  ): Promise<{ document: DocumentRow } | { document: undefined; wantedModel: string }> {
    const { document, token, model, textLength, chunkCount } = result;
    return deps.db.transaction(async (tx) => {
      const wanted = await lockCollectionModel(tx, workspaceId, document.knowledgeBaseId);
      if (wanted === undefined) throw notFound('Document');
      // A model that cannot be asked any more is left behind by the re-embedding job; see embedding/jobs.ts.
      if (wanted !== model && deps.embedders.of(wanted)) return { document: undefined, wantedModel: wanted };
      if (result.hasOtherVectors) await dropOtherModels(tx, document.id, model);
      const change = {
        chunkCount,
        textLength,
        processedAt: deps.clock.now(),
        leaseToken: null,
        leaseUntil: null,
        errorMessage: null,
      };
      const completed = await moveDocument(tx, workspaceId, {
        id: document.id,
        event: 'complete',
        token,
        change,
      });
      if (!completed) throw notFound('Document');
      return { document: completed };
    });
  }

  async function fail(
    workspaceId: WorkspaceId,
    document: DocumentRow,
    token: string,
    error: unknown,
  ): Promise<DocumentRow> {
    const reason = reasonOf(error);
    if (reason === undefined)
      deps.log.warn({
        event: 'document_processing_failed',
        documentId: document.id,
        error: describeError(error),
      });
    const failed = await failDocument(deps, workspaceId, {
      id: document.id,
      token,
      reason: reason ?? 'Something went wrong on our side while the document was processed. Try again.',
    });
    if (failed) return failed;
    // Deleted meanwhile (404), or failed by the sweep: then that is the answer. What was written late goes in any case.
    await deleteLeftovers(deps.db, [document.id]);
    return findDocument(deps.db, workspaceId, document.id);
  }

  function keepLease(
    workspaceId: WorkspaceId,
    id: string,
    token: string,
    abort: AbortController,
  ): Promise<void> {
    return keepRenewing(abort.signal, {
      clock: deps.clock,
      everyMs: RENEW_EVERY_MS,
      async renew() {
        const until = new Date(deps.clock.now().getTime() + LEASE_MS);
        if (!(await renewLease(deps.db, workspaceId, { id, token, until })))
          abort.abort(new Error('the document was taken away'));
      },
      onError: (error) =>
        deps.log.warn({ event: 'document_lease_not_renewed', documentId: id, error: describeError(error) }),
    });
  }

  return {
    process,
    /** Ends the work on a document in this process, after its row was deleted. */
    abandon: (documentId: string) => active.get(documentId)?.abort(new Error('the document was deleted')),
    /** Ends all work, for an ordered stop: the documents are FAILED with a reason. */
    stop() {
      for (const abort of active.values()) {
        abort.abort(
          new UnreadableDocument('Processing was interrupted because the service was stopped. Try again.'),
        );
      }
    },
    activeCount: () => active.size,
  };
}

export type DocumentProcessing = ReturnType<typeof createDocumentProcessing>;

/** FAILED with a reason, then no chunk of it left. undefined when the step was not allowed. */
export async function failDocument(
  deps: Pick<Dependencies, 'db'>,
  workspaceId: WorkspaceId,
  failure: { id: string; token?: string; reason: string },
): Promise<DocumentRow | undefined> {
  const change = {
    errorMessage: failure.reason,
    leaseToken: null,
    leaseUntil: null,
    chunkCount: null,
    textLength: null,
  };
  const failed = await moveDocument(deps.db, workspaceId, {
    id: failure.id,
    event: 'fail',
    ...(failure.token ? { token: failure.token } : {}),
    change,
  });
  if (failed) await deleteLeftovers(deps.db, [failure.id]);
  return failed;
}

/** A reason that a person can act on; undefined for faults of our own. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof UnreadableDocument) return error.message;
  if (error instanceof Error && error.name === 'EmbeddingFailed') return error.message;
  return undefined;
}
