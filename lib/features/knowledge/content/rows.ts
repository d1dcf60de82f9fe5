import type { ChunkSource } from '#db/schema/knowledge.ts';
import type { TermBlock } from '#lib/text/postings.ts';
import type { StoredVector } from '../embedding/vector-codes.ts';
import type { ChunkKey } from '../rules.ts';
import { copyBytes, jsonbBytes } from './binary-forms.ts';

const TARGETS = {
  chunks: 'chunks (document_id, seq, text, source)',
  vectors: 'chunk_vectors (document_id, model, seq, embedding)',
  codes: 'chunk_codes (document_id, model, seq, sign_bits, magnitude_bits)',
  termBlocks: 'term_blocks (document_id, part, low, high, postings)',
};

/** Rows of one table as COPY takes them: the parsing process makes them, so that the web process only hands them on. */
export type CopyRows = { into: keyof typeof TARGETS; bytes: Uint8Array<ArrayBuffer> };

/** What COPY is told about `rows`. */
export function copyTarget(rows: CopyRows): string {
  return TARGETS[rows.into];
}

export type ChunkRow = ChunkKey & { text: string; source: ChunkSource };

export function chunkRows(rows: ChunkRow[]): CopyRows {
  return {
    into: 'chunks',
    bytes: copyBytes(rows.map((row) => [row.documentId, row.seq, row.text, jsonbBytes(row.source)])),
  };
}

export type VectorRow = StoredVector & ChunkKey & { model: string };

/** Vectors and their codes, for one transaction. */
export function vectorRows(rows: VectorRow[]): CopyRows[] {
  return [
    {
      into: 'vectors',
      bytes: copyBytes(rows.map((row) => [row.documentId, row.model, row.seq, row.embedding])),
    },
    {
      into: 'codes',
      bytes: copyBytes(
        rows.map((row) => [row.documentId, row.model, row.seq, row.signBits, row.magnitudeBits]),
      ),
    },
  ];
}

export function termBlockRows(rows: (TermBlock & { documentId: string; part: number })[]): CopyRows {
  return {
    into: 'termBlocks',
    bytes: copyBytes(rows.map((row) => [row.documentId, row.part, row.low, row.high, row.postings])),
  };
}
