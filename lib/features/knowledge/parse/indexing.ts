import { Worker } from 'node:worker_threads';
import type { ChunkRow } from '../content/rows.ts';
import type { Indexer, IndexerOrder } from './indexer.ts';
import type { BufferedRows } from './protocol.ts';
import type { Watch } from './watchdog.ts';

/** `queued` counts what the thread was told to do and has not done yet. */
export type IndexingOrder = IndexerOrder & { queued: Int32Array };
export type IndexingCommand =
  | { kind: 'chunks'; chunks: ChunkRow[] }
  | { kind: 'finish' }
  | { kind: 'acknowledged' };
export type IndexingReport = BufferedRows | { kind: 'indexed' };

/** Chunks per batch. With half as many a table takes a tenth longer: the threads, on two processors, wake each other. */
const BATCH_CHUNKS = 96;
/** A document of so many bytes gets its thread while it is read in, before the first batch. */
const LARGE_BYTES = 1024 * 1024;
/** Batches that may wait for the thread: a single value of 50 MB is cut into hundreds before this thread's next turn. */
const MOST_QUEUED = 6;
/** Batches and rows on their way before more of the document is read. */
const WINDOW = 6;

/**
 * Hands chunks to an indexer while the document is read, and says when to wait for the caller, who answers each `send`
 * with a call of `acknowledge`. From the second batch on the indexer has a thread of its own, for it does two thirds of the work;
 * most documents are smaller, and starting a thread takes longer than indexing them.
 */
export function startIndexing(
  { sizeBytes, ...order }: IndexerOrder & { sizeBytes: number },
  watch: Watch,
  send: (rows: BufferedRows) => void,
) {
  let chunks: ChunkRow[] = [];
  let count = 0;
  /** Batches that the thread has not reported as indexed, and rows that the caller has not taken. */
  let indexing = 0;
  let onTheWay = 0;
  let failure: Error | undefined;
  let wake = () => {};
  let indexer = sizeBytes > LARGE_BYTES ? startThread() : undefined;

  function written(rows: BufferedRows): void {
    onTheWay += 1;
    send(rows);
  }

  function startThread(): Indexer {
    const queued = new Int32Array(new SharedArrayBuffer(4));
    const thread = new Worker(new URL('./indexing-thread.ts', import.meta.url), {
      workerData: { ...order, queued } satisfies IndexingOrder,
    });
    thread.on('message', (report: IndexingReport) => {
      if (report.kind === 'indexed') indexing -= 1;
      else written(report);
      wake();
    });
    thread.on('error', (error: Error) => {
      failure = error;
      wake();
    });
    const work = (command: IndexingCommand) => {
      indexing += 1;
      Atomics.add(queued, 0, 1);
      thread.postMessage(command);
      for (let ahead: number; (ahead = Atomics.load(queued, 0)) > MOST_QUEUED;)
        Atomics.wait(queued, 0, ahead);
    };
    return {
      index: (some) => work({ kind: 'chunks', chunks: some }),
      finish: () => work({ kind: 'finish' }),
      acknowledge: () => thread.postMessage({ kind: 'acknowledged' } satisfies IndexingCommand),
    };
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
      if (chunks.length === BATCH_CHUNKS) {
        indexer ??= startThread();
        indexer.index(chunks);
        chunks = [];
      }
      chunks.push(chunk);
      count += 1;
    },
    acknowledge(): void {
      onTheWay -= 1;
      indexer?.acknowledge();
      wake();
    },
    /** What to wait for before more is read. */
    room: (): Promise<void> | undefined => (indexing + onTheWay > WINDOW ? until(WINDOW) : undefined),
    /** Resolves once the caller has taken everything. */
    async finish(): Promise<void> {
      indexer ??= (await import('./indexer.ts')).createIndexer(order, written);
      if (chunks.length > 0) indexer.index(chunks);
      indexer.finish();
      await until(0);
    },
  };
}
