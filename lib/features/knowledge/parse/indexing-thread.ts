import { parentPort, workerData } from 'node:worker_threads';
import { vectorOfTerms } from '#lib/text/lexical-vector.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/term-blocks.ts';
import { type CountedTerms, countTerms, termHashes } from '#lib/text/vocabulary.ts';
import { type ChunkRow, chunkRows, type CopyRows, termBlockRows, vectorRows } from '../content/rows.ts';
import { storedVector } from '../embedding/vector-codes.ts';
import { embeddedText } from './embedded-text.ts';
import type { IndexingCommand, IndexingOrder, IndexingReport } from './indexing.ts';
import { comesWithVectors } from './protocol.ts';
import { joinSpool } from './spool.ts';

/** Blocks of terms per message, about as many bytes as a batch of chunks. */
const BATCH_BLOCKS = 96;

const { documentId, model, spoolFd, queued } = workerData as IndexingOrder;
const spool = joinSpool(spoolFd);
const withVectors = comesWithVectors(model);
const terms = createTermBlockWriter(sendBlocks);
let part = 0;

parentPort?.on('message', (command: IndexingCommand) => {
  if (command.kind === 'taken') {
    spool.takenFirst();
    return;
  }
  if (command.kind === 'chunks') index(command.chunks);
  else terms.flush();
  Atomics.sub(queued, 0, 1);
  Atomics.notify(queued, 0);
  report({ kind: 'indexed' });
});

function index(chunks: ChunkRow[]): void {
  send(chunkRows(chunks));
  const vectors = chunks.map((chunk) => {
    const counted = countTerms(embeddedText(chunk.text, chunk.source));
    terms.add(chunk.seq, termHashes(counted));
    return withVectors ? vectorOf(chunk, counted) : undefined;
  });
  const made = vectors.filter((vector) => vector !== undefined);
  if (made.length > 0) send(vectorRows(made));
}

function vectorOf({ seq }: ChunkRow, counted: CountedTerms) {
  return { documentId, seq, model, ...storedVector(vectorOfTerms(counted)) };
}

function sendBlocks(blocks: TermBlock[]): void {
  const rows = blocks.map((block) => ({ ...block, documentId, part: part++ }));
  for (let at = 0; at < rows.length; at += BATCH_BLOCKS)
    send(termBlockRows(rows.slice(at, at + BATCH_BLOCKS)));
}

function send({ into, bytes }: CopyRows): void {
  report({ kind: 'rows', into, part: spool.write(bytes) });
}

function report(message: IndexingReport): void {
  parentPort?.postMessage(message);
}
