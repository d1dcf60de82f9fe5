import { vectorOfTerms } from '#lib/text/lexical-vector.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/postings.ts';
import { type CountedTerms, countTerms, termHashes } from '#lib/text/counted-terms.ts';
import { type ChunkRow, chunkRows, type CopyRows, termBlockRows, vectorRows } from '../content/rows.ts';
import { storedVector } from '../embedding/vector-codes.ts';
import { embeddedText } from './embedded-text.ts';
import { comesWithVectors, type BufferedRows } from './protocol.ts';
import { joinFileBuffer } from './file-buffer.ts';

/** Chunks per transaction: 3 ms of the embedded database, so that others get their turn in between. */
const TRANSACTION_CHUNKS = 48;
/** Blocks of terms per transaction, about as many bytes. */
const TRANSACTION_BLOCKS = 96;

export type IndexerOrder = { documentId: string; model: string; bufferFd: number };

export type Indexer = {
  /** Chunks come in their order. */
  index(chunks: ChunkRow[]): void;
  /** Writes what is held back until all chunks are known. */
  finish(): void;
  /** The caller has taken the first rows that it was told of and had not taken. */
  acknowledge(): void;
};

/** Makes rows of chunks, writes them to the buffer, and tells `written` where they are. */
export function createIndexer(order: IndexerOrder, written: (rows: BufferedRows) => void): Indexer {
  const { documentId, model } = order;
  const buffer = joinFileBuffer(order.bufferFd);
  const withVectors = comesWithVectors(model);
  const terms = createTermBlockWriter(writeBlocks);
  let part = 0;

  function write(transactions: CopyRows[][]): void {
    const part = buffer.write(transactions.flat().map(({ bytes }) => bytes));
    const lengths = transactions.map((rows) =>
      rows.map(({ into, bytes }) => ({ into, length: bytes.length })),
    );
    written({ kind: 'rows', part, transactions: lengths });
  }

  function writeBlocks(blocks: TermBlock[]): void {
    const rows = blocks.map((block) => ({ ...block, documentId, part: part++ }));
    for (const some of partsOf(rows, TRANSACTION_BLOCKS)) write([[termBlockRows(some)]]);
  }

  function rowsOf(chunks: ChunkRow[]): CopyRows[] {
    const vectors = [];
    for (const chunk of chunks) {
      const counted = countTerms(embeddedText(chunk.text, chunk.source));
      terms.add(chunk.seq, termHashes(counted));
      if (withVectors) vectors.push(vectorRow(chunk, counted));
    }
    return [chunkRows(chunks), ...(withVectors ? vectorRows(vectors) : [])];
  }

  function vectorRow({ seq }: ChunkRow, counted: CountedTerms) {
    return { documentId, seq, model, ...storedVector(vectorOfTerms(counted)) };
  }

  return {
    index(chunks) {
      write(partsOf(chunks, TRANSACTION_CHUNKS).map(rowsOf));
    },
    finish: () => terms.flush(),
    acknowledge: () => buffer.releaseFirst(),
  };
}

function partsOf<Of>(list: Of[], length: number): Of[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, part) =>
    list.slice(part * length, (part + 1) * length),
  );
}
