import { parentPort, workerData } from 'node:worker_threads';
import { createIndexer } from './indexer.ts';
import type { IndexingCommand, IndexingOrder, IndexingReport } from './indexing.ts';

const { queued, ...order } = workerData as IndexingOrder;
const indexer = createIndexer(order, report);

parentPort?.on('message', (command: IndexingCommand) => {
  if (command.kind === 'acknowledged') {
    indexer.acknowledge();
    return;
  }
  try {
    if (command.kind === 'chunks') indexer.index(command.chunks);
    else indexer.finish();
    Atomics.sub(queued, 0, 1);
  } catch (error) {
    // Nobody is to wait any more for what will never be done; the error ends this thread, and is seen there.
    Atomics.store(queued, 0, -(2 ** 31));
    throw error;
  } finally {
    Atomics.notify(queued, 0);
  }
  report({ kind: 'indexed' });
});

function report(message: IndexingReport): void {
  parentPort?.postMessage(message);
}
