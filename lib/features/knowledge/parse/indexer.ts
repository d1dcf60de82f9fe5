import { vectorOfTerms } from '#lib/text/lexical-vector.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/term-blocks.ts';
import { type CountedTerms, countTerms, termHashes } from '#lib/text/counted-terms.ts';
import { type ChunkRow, chunkRows, type CopyRows, termBlockRows, vectorRows } from '../content/rows.ts';
import { storedVector } from '../embedding/vector-codes.ts';
import { embeddedText } from './embedded-text.ts';
import { comesWithVectors, type RowsOnSpool } from './protocol.ts';
import { joinSpool } from './spool.ts';

/** Blocks of terms per message, about as many bytes as a batch of chunks. */
const BATCH_BLOCKS = 192;

export type IndexerOrder = { documentId: string; model: string; spoolFd: number };

export type Indexer = {
  /** Chunks come in their order. */
  index(chunks: ChunkRow[]): void;
  /** Writes what is held back until all chunks are known. */
  finish(): void;
  /** The caller has taken the first rows that it was told of and had not taken. */
  taken(): void;
};

/** Makes rows of chunks, writes them to the spool, and tells `written` where they are. */
export function createIndexer(order: IndexerOrder, written: (rows: RowsOnSpool) => void): Indexer {
  const { documentId, model } = order;
  const spool = joinSpool(order.spoolFd);
  const withVectors = comesWithVectors(model);
  const terms = createTermBlockWriter(writeBlocks);
  let part = 0;

  function write(rows: CopyRows[]): void {
    const tables = rows.map(({ into, bytes }) => ({ into, length: bytes.length }));
    written({ kind: 'rows', part: spool.write(rows.map(({ bytes }) => bytes)), tables });
  }

  function writeBlocks(blocks: TermBlock[]): void {
    const rows = blocks.map((block) => ({ ...block, documentId, part: part++ }));
    for (let at = 0; at < rows.length; at += BATCH_BLOCKS)
      write([termBlockRows(rows.slice(at, at + BATCH_BLOCKS))]);
  }

  function vectorRow({ seq }: ChunkRow, counted: CountedTerms) {
    return { documentId, seq, model, ...storedVector(vectorOfTerms(counted)) };
  }

  return {
    index(chunks) {
      const vectors = [];
      for (const chunk of chunks) {
        const counted = countTerms(embeddedText(chunk.text, chunk.source));
        terms.add(chunk.seq, termHashes(counted));
        if (withVectors) vectors.push(vectorRow(chunk, counted));
      }
      write([chunkRows(chunks), ...(withVectors ? vectorRows(vectors) : [])]);
    },
    finish: () => terms.flush(),
    taken: () => spool.takenFirst(),
  };
}
