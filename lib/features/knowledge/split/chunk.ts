/** Largest chunk, in characters (contract, Document processing: "about 2200 characters"). */
export const CHUNK_CHARACTERS = 2_200;
/** A chunk is not cut before this, unless its text ends. */
export const LEAST_CHARACTERS = 1_100;
/** Whole sentences up to this length are repeated at the start of the next chunk; a single longer one up to twice it. */
export const OVERLAP_CHARACTERS = 300;
/** Between the cells of a table's row. */
export const CELL_BORDER = ' | ';

/** Where a stretch of text came from. */
export type Place = { headings?: string[]; page?: number; rows?: [number, number]; jsonPath?: string };

/**
 * A piece of the extracted text; `start..end` (UTF-16 units) do not count `prefix`, which repeats what the piece needs to
 * be understood alone: the header of its table, or the headings it stands below.
 */
export type Chunk = { prefix: string; text: string; place: Place; start: number; end: number };

/** What a reader of a file type gives to the splitter, in the order of the file. */
export type Block =
  | { kind: 'prose'; text: string; page?: number }
  | { kind: 'heading'; text: string; level: number; page?: number }
  /** A unit that belongs together: a row of a table, a record of a JSON file. */
  | { kind: 'record'; text: string; header?: string; row?: number; jsonPath?: string };
