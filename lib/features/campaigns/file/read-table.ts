import Papa from 'papaparse';
import { decodeWhole, signatureOf } from '#lib/features/knowledge/parse/text-encoding.ts';
import { CAMPAIGN_LIMITS } from '../rules.ts';

/** A row with something in it. `line`: where it begins in the file, from 1; a cell may go over several lines. */
export type TableRow = { line: number; cells: string[] };

/** Why a file is no table of people, in words that fit behind "file:". */
export class UnreadableTable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableTable';
  }
}

const DELIMITERS = [',', ';', '\t', '|'];
/** Rows between two pauses, in which the process does something else. */
const ROWS_AT_ONCE = 500;
const CHUNK_CHARACTERS = 4 * 1024 * 1024;
const SAMPLED_CHARACTERS = 64 * 1024;
const SAMPLED_ROWS = 20;
/** What Excel writes above a table to say how it is separated. */
const SEPARATOR_LINE = /^"?sep=(.)"?\n/i;

/**
 * Reads a table as spreadsheets write it: any of their encodings, separators and line ends, cells with line breaks. Gives
 * `onRow` each row that is not empty and answers how the file is separated. Throws UnreadableTable.
 */
export async function readTable(bytes: Buffer, onRow: (row: TableRow) => void): Promise<string> {
  let text = textOf(bytes).replace(/\r\n?/g, '\n');
  const told = SEPARATOR_LINE.exec(text);
  if (told) text = text.slice(told[0].length);
  const reader = createRowReader(told ? 2 : 1, onRow);
  const delimiter = told?.[1] ?? guessDelimiter(text);
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      delimiter,
      newline: '\n',
      chunkSize: CHUNK_CHARACTERS,
      step({ data, errors }, parser) {
        try {
          const count = reader.read(data, errors);
          if (count % ROWS_AT_ONCE > 0) return;
          parser.pause();
          setImmediate(() => parser.resume());
        } catch (error) {
          // Before the parser is told: it calls that the end.
          reject(error as Error);
          parser.abort();
        }
      },
      complete: () => resolve(delimiter),
      error: reject,
    });
  });
}

/** Rows without anything in them would speak against every separator. */
function guessDelimiter(text: string): string {
  const sample = text.slice(0, SAMPLED_CHARACTERS);
  const { meta } = Papa.parse<string[]>(sample, {
    preview: SAMPLED_ROWS,
    skipEmptyLines: 'greedy',
    newline: '\n',
    delimitersToGuess: DELIMITERS,
  });
  return meta.delimiter;
}

function textOf(bytes: Buffer): string {
  if (bytes.length === 0) throw new UnreadableTable('is empty');
  if (signatureOf(bytes)?.includes('zip archive'))
    throw new UnreadableTable('is an Excel or OpenDocument file; save it as CSV and choose that file');
  try {
    // A mark that stands twice, as some programs write it, would be part of the first name.
    return decodeWhole(bytes).replace(/^\uFEFF+/, '');
  } catch {
    throw new UnreadableTable('is no text; save the table as CSV (UTF-8) and choose that file');
  }
}

function createRowReader(firstLine: number, onRow: (row: TableRow) => void) {
  let line = firstLine;
  let count = 0;
  return {
    /** How many rows came so far, empty ones too. */
    read(cells: string[], errors: Papa.ParseError[]): number {
      const at = line;
      // What follows such a mark may be other cells and other people than it seems.
      if (errors.some((error) => error.code === 'InvalidQuotes'))
        throw new UnreadableTable(`has a quotation mark in line ${at} where none can be`);
      if (errors.some((error) => error.code === 'MissingQuotes'))
        throw new UnreadableTable(`has a quotation mark in line ${at} that is never closed`);
      line += 1 + cells.reduce((breaks, cell) => breaks + cell.split('\n').length - 1, 0);
      count += 1;
      if (cells.every((cell) => cell.trim() === '')) return count;
      if (cells.length > CAMPAIGN_LIMITS.columns)
        throw new UnreadableTable(
          `has ${cells.length.toLocaleString('en-US')} columns in line ${at}; ${CAMPAIGN_LIMITS.columns} are the most`,
        );
      onRow({ line: at, cells: cells.map((cell) => cell.trim()) });
      return count;
    },
  };
}
