import { parentPort, workerData } from 'node:worker_threads';
import { readDocument } from './read-document.ts';

const { document } = workerData as { document: string };
parentPort?.postMessage(await readDocument(document));
