import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';
import type { CopyRows } from '../content/rows.ts';
import type { BufferPart } from './file-buffer.ts';
import type { DocumentFileType } from '../rules.ts';
import type { ParseLimits } from './unreadable.ts';

/** What the parsing process is asked to do with the document in the buffer. */
export type ParseOrder = {
  documentId: string;
  fileType: DocumentFileType;
  sizeBytes: number;
  limits: ParseLimits;
  model: string;
};

/** The local model's vectors come with the chunks; any other model is asked by the caller. */
export function comesWithVectors(model: string): boolean {
  return model === LEXICAL_MODEL;
}

/** Rows for some transactions, each of some tables: in the buffer, one table's behind the other's. */
export type BufferedRows = {
  kind: 'rows';
  part: BufferPart;
  transactions: { into: CopyRows['into']; length: number }[][];
};

export type ParseMessage =
  | BufferedRows
  | { kind: 'done'; textLength: number; chunkCount: number }
  | { kind: 'unreadable'; reason: string }
  /** Through no fault of the document: the disk is full, say. */
  | { kind: 'failed'; error: string };

/** The caller's answers: the order, then one `acknowledged` per `rows`. */
export type ParseCommand = { kind: 'parse'; order: ParseOrder } | { kind: 'acknowledged' };
