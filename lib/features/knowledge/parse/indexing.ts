import { Worker } from 'node:worker_threads';
import type { ChunkRow } from '../content/rows.ts';
import type { ParseMessage } from './protocol.ts';
import type { Watch } from './watchdog.ts';

type RowsOnSpool = Extract<ParseMessage, { kind: 'rows' }>;

/** `queued` counts the batches that were given to the thread and are not indexed yet. */
export type IndexingOrder = { documentId: string; model: string; spoolFd: number; queued: Int32Array };
export type IndexingCommand = { kind: 'chunks'; chunks: ChunkRow[] } | { kind: 'taken' } | { kind: 'finish' };
export type IndexingReport = RowsOnSpool | { kind: 'indexed' };

/** Chunks per batch: small enough that taking them in never holds up the web process for long. */
const BATCH_CHUNKS = 48;
/** Batches that may wait for the thread; a single value of 50 MB is cut into thousands before the next turn. */
const MOST_QUEUED = 8;
/** Batches and rows on their way before more of the document is read. */
const WINDOW = 8;

/**
 * Makes rows of chunks in a thread of its own, which writes them to the spool: reading and splitting a document is a third
 * of the work. `send` tells the caller of rows, who answers each with a call of `taken`.
 */
export function startIndexing(
  order: Omit<IndexingOrder, 'queued'>,
  watch: Watch,
  send: (rows: RowsOnSpool) => void,
) {
  const queued = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(new URL('./indexing-thread.ts', import.meta.url), {
    workerData: { ...order, queued } satisfies IndexingOrder,
  });
  let chunks: ChunkRow[] = [];
  let count = 0;
  /** Batches that the thread has not reported as indexed, and rows that the caller has not taken. */
  let indexing = 0;
  let onTheWay = 0;
  let failure: Error | undefined;
  let wake = () => {};

  thread.on('message', (report: IndexingReport) => {
    if (report.kind === 'indexed') indexing -= 1;
    else {
      onTheWay += 1;
      send(report);
    }
    wake();
  });
  thread.on('error', (error: Error) => {
    failure = error;
    wake();
  });

  function command(work: IndexingCommand): void {
    indexing += 1;
    Atomics.add(queued, 0, 1);
    thread.postMessage(work);
    for (let ahead: number; (ahead = Atomics.load(queued, 0)) > MOST_QUEUED;) Atomics.wait(queued, 0, ahead);
  }

  function sendBatch(): void {
    command({ kind: 'chunks', chunks });
    chunks = [];
  }

  /** Goes on once at most `limit` batches and rows are on their way. Time in which only the caller works is the caller's. */
  async function until(limit: number): Promise<void> {
    while (indexing + onTheWay > limit) {
      if (failure) throw failure;
      watch.waiting(indexing === 0);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    watch.waiting(false);
  }

  return {
    count: () => count,
    add(chunk: ChunkRow): void {
      chunks.push(chunk);
      count += 1;
      if (chunks.length === BATCH_CHUNKS) sendBatch();
    },
    taken(): void {
      onTheWay -= 1;
      thread.postMessage({ kind: 'taken' } satisfies IndexingCommand);
      wake();
    },
    /** What to wait for before more is read. */
    room: (): Promise<void> | undefined => (indexing + onTheWay > WINDOW ? until(WINDOW) : undefined),
    /** Resolves once the caller has taken everything. */
    async finish(): Promise<void> {
      if (chunks.length > 0) sendBatch();
      command({ kind: 'finish' });
      await until(0);
    },
  };
}
