import { Worker } from 'node:worker_threads';
import { validationError } from '#lib/errors.ts';
import type { OpenApiReading } from '../contract.ts';
import type { ReadDocument } from './read-document.ts';

/** A document of a megabyte takes one second; one made to hurt would take the whole service's. */
const TIMEOUT_MS = 10_000;
const MAX_HEAP_MB = 256;
const THREAD = new URL('./reading-thread.ts', import.meta.url);

/** Reads an OpenAPI document in a thread of its own, with a clock and a bound of memory. Throws 400 for what is none. */
export async function readOpenApiDocument(document: string): Promise<OpenApiReading> {
  const read = await inThread(document);
  if (!read.ok) throw validationError([{ field: 'document', reason: read.reason }]);
  return read.reading;
}

function inThread(document: string): Promise<ReadDocument> {
  const worker = new Worker(THREAD, {
    workerData: { document },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  return new Promise<ReadDocument>((resolve) => {
    const giveUp = () => resolve({ ok: false, reason: 'is too large or too deep to be read' });
    const timer = setTimeout(giveUp, TIMEOUT_MS);
    worker.once('message', resolve);
    worker.once('error', giveUp);
    worker.once('exit', giveUp);
    worker.once('exit', () => clearTimeout(timer));
  }).finally(() => void worker.terminate());
}
