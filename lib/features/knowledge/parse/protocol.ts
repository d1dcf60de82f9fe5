import type { DocumentFileType } from '../rules.ts';
import type { ChunkSource } from '#db/schema/knowledge.ts';
import type { StoredVector } from '../embedding/vector-codes.ts';
import type { TermBlock } from '#lib/text/term-blocks.ts';
import type { ParseLimits } from './unreadable.ts';

/** What the parsing process is asked to do; the file itself follows on its standard input. */
export type ParseOrder = {
  fileType: DocumentFileType;
  sizeBytes: number;
  limits: ParseLimits;
  embedding: 'local' | 'none';
};

/** One chunk, ready for the database: the binary forms are PostgreSQL's own, made here so that the web process need not. */
export type ParsedChunk = {
  text: string;
  source: ChunkSource;
  /** undefined where the model is asked by the caller. */
  vector: StoredVector | undefined;
};

export type ParseMessage =
  | { kind: 'chunks'; chunks: ParsedChunk[] }
  | { kind: 'terms'; blocks: TermBlock[] }
  | { kind: 'done'; textLength: number; chunkCount: number }
  | { kind: 'unreadable'; reason: string };

/** The caller's answers: the order, then one `taken` per `chunks` or `terms`. */
export type ParseCommand = { kind: 'parse'; order: ParseOrder } | { kind: 'taken' };
