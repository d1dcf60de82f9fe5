import Papa from 'papaparse';
import { type Block, CELL_BORDER } from '../split/chunk.ts';
import { decodeWhole } from './text-encoding.ts';
import { UnreadableDocument } from './unreadable.ts';

const MAX_ROWS = 2_000_000;
const MAX_COLUMNS = 1_000;

/** Rows of a table, each with the header row; `rows` of the source count data rows from 1. `emit` may ask to wait. */
export function readCsv(bytes: Buffer, emit: (block: Block) => Promise<void> | undefined): Promise<void> {
  const text = decodeWhole(bytes);
  const rows = createRowReader();
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(text, {
      skipEmptyLines: true,
      chunkSize: 1024 * 1024,
      step({ data, errors }, parser) {
        try {
          const block = rows.read(data, errors);
          const wait = block && emit(block);
          if (!wait) return;
          parser.pause();
          wait.then(() => parser.resume(), reject);
        } catch (error) {
          reject(error as Error);
          parser.abort();
        }
      },
      complete() {
        const alone = rows.headerAlone();
        Promise.resolve(alone && emit(alone)).then(() => resolve(), reject);
      },
    });
  });
}

/** Cells with single spaces inside and none around; most rows have no others, and a look at the whole line is cheaper. */
function lineOf(cells: string[]): string {
  const line = cells.join(CELL_BORDER);
  if (!UNTIDY.test(line)) return line;
  return cells.map((cell) => cell.replace(/\s+/gu, ' ').trim()).join(CELL_BORDER);
}

/** A space at the border of a cell makes two in the line; so does an empty cell, between two borders. */
const UNTIDY = /[^\S ]|[^|]  |  [^|]|^ [^|]|[^|] $/u;

function createRowReader() {
  let header: string | undefined;
  let row = 0;
  return {
    read(cells: string[], errors: Papa.ParseError[]): Block | undefined {
      if (errors.some((error) => error.code === 'MissingQuotes')) {
        throw new UnreadableDocument(
          `A quotation mark that opens in row ${row + 2} is never closed. Correct it and upload the file again.`,
        );
      }
      if (cells.length > MAX_COLUMNS) {
        throw new UnreadableDocument(
          `Row ${row + 1} has ${cells.length.toLocaleString('en-US')} columns; at most ${MAX_COLUMNS.toLocaleString('en-US')} can be read. Remove columns or split the table.`,
        );
      }
      const line = lineOf(cells);
      const isBlank = line.length === (cells.length - 1) * CELL_BORDER.length;
      if (isBlank) return undefined;
      if (header === undefined) {
        header = line;
        return undefined;
      }
      row += 1;
      if (row > MAX_ROWS)
        throw new UnreadableDocument(
          `The table has more than ${MAX_ROWS.toLocaleString('en-US')} rows. Split it into several files.`,
        );
      return { kind: 'record', text: line, header, row };
    },
    /** A single row is data, whatever it says. */
    headerAlone: (): Block | undefined =>
      header !== undefined && row === 0 ? { kind: 'record', text: header, row: 1 } : undefined,
  };
}
