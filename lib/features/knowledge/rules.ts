import { validationError } from '#lib/errors.ts';
import type { DOCUMENT_FILE_TYPES } from './contract.ts';

export type DocumentFileType = (typeof DOCUMENT_FILE_TYPES)[number];

const TYPE_OF_ENDING: Record<string, DocumentFileType> = {
  pdf: 'PDF',
  docx: 'DOCX',
  txt: 'TXT',
  md: 'MD',
  markdown: 'MD',
  csv: 'CSV',
  json: 'JSON',
};

/** The type that a file's name promises; 400 where it is none of the supported ones. */
export function fileTypeOf(originalName: string): DocumentFileType {
  const ending = /\.([^.]+)$/.exec(originalName)?.[1]?.toLowerCase() ?? '';
  const type = Object.hasOwn(TYPE_OF_ENDING, ending) ? TYPE_OF_ENDING[ending] : undefined;
  if (!type)
    throw validationError([
      { field: 'file', reason: 'must be a .pdf, .docx, .txt, .md, .csv or .json file' },
    ]);
  return type;
}

const MAX_NAME_CHARACTERS = 200;

/** The name a person uploaded, without folders and control characters, short enough to show. */
export function shownName(given: string): string {
  const base = given.toWellFormed().split(/[/\\]/).at(-1) ?? '';
  // oxlint-disable-next-line no-control-regex -- removing them is the point
  const clean = base.replace(/[\u0000-\u001f\u007f\u202a-\u202e\u2066-\u2069]/gu, '').trim();
  if (clean.length <= MAX_NAME_CHARACTERS) return clean;
  const ending = /\.[^.]{1,10}$/.exec(clean)?.[0] ?? '';
  return clean.slice(0, MAX_NAME_CHARACTERS - ending.length).toWellFormed() + ending;
}

/** A chunk among all: its document and its number there, from 0. */
export type ChunkKey = { documentId: string; seq: number };

/** A chunk as the dashboard names it. */
export function chunkId(chunk: ChunkKey): string {
  return `${chunk.documentId}_${chunk.seq}`;
}

/** Where a chunk stands, for people: `Prices > Whitening, page 3`. */
export function locationOf(source: {
  headings?: string[];
  page?: number;
  rows?: [number, number];
  jsonPath?: string;
}): string {
  const parts: string[] = [];
  if (source.headings && source.headings.length > 0) parts.push(source.headings.join(' > '));
  if (source.page !== undefined) parts.push(`page ${source.page}`);
  if (source.rows)
    parts.push(
      source.rows[0] === source.rows[1]
        ? `row ${source.rows[0]}`
        : `rows ${source.rows[0]} to ${source.rows[1]}`,
    );
  if (source.jsonPath !== undefined && source.jsonPath !== '$') parts.push(source.jsonPath);
  return parts.join(', ');
}
