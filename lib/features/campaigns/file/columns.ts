import type { ColumnMapping } from '#db/schema/campaigns.ts';
import { type NumberCountry, readPhoneNumber } from '#lib/phone-number.ts';
import type { GivenPerson } from '../people/rules.ts';
import type { TableRow } from './read-table.ts';

/** Rows that decide what a column is. */
const SAMPLED_ROWS = 50;
const NUMBER_NAMES =
  /\b(?:phone|telephone|tel|mobile|cell|number|msisdn|telefon|telefonnummer|handy|rufnummer|nummer|móvil|movil|teléfono|telefono|téléphone|portable)\b/i;
/** Of the names of a prompt's variables: letters, digits and `_`. */
const NOT_OF_A_NAME = /[^\p{L}\p{N}_]+/gu;

export type TableColumns = {
  hasHeader: boolean;
  columns: { name: string; samples: string[] }[];
  suggested: { numberColumn: number | null; variables: { column: number; name: string }[] };
};

/** What the columns of a table are, from its first rows. `hasHeader`: what a person said, who knows better. */
export function describeColumns(
  rows: readonly TableRow[],
  { country, hasHeader: said }: { country: NumberCountry | null; hasHeader?: boolean | undefined },
): TableColumns {
  const sample = rows.slice(0, SAMPLED_ROWS + 1).map((row) => row.cells);
  const [first = []] = sample;
  const isNumber = (text: string) => readPhoneNumber(text, country).ok;
  const hasHeader = said ?? !first.some(isNumber);
  const data = hasHeader ? sample.slice(1) : sample;
  const width = Math.max(0, ...sample.map((cells) => cells.length));
  const columns = Array.from({ length: width }, (_, index) => ({
    name: columnName(hasHeader ? first[index] : undefined, index),
    samples: data.slice(0, 3).map((cells) => (cells[index] ?? '').slice(0, 80)),
  }));
  const scores = columns.map(({ name }, index) => {
    const given = data.map((cells) => cells[index] ?? '').filter((cell) => cell !== '');
    const share = given.length === 0 ? 0 : given.filter(isNumber).length / given.length;
    // A name alone decides nothing ("house number"), and digits alone neither (customer ids).
    return share < 0.3 ? 0 : share + (hasHeader && NUMBER_NAMES.test(name) ? 1 : 0);
  });
  const best = Math.max(0, ...scores);
  const numberColumn = best === 0 ? null : scores.indexOf(best);
  return { hasHeader, columns, suggested: { numberColumn, variables: variablesOf(columns, numberColumn) } };
}

export function columnName(header: string | undefined, index: number): string {
  const name = (header ?? '').replace(/\s+/g, ' ').trim().slice(0, 80);
  return name === '' ? `Column ${index + 1}` : name;
}

function variablesOf(columns: { name: string }[], numberColumn: number | null) {
  const taken = new Set<string>();
  return columns.flatMap(({ name }, column) => {
    if (column === numberColumn) return [];
    const base = variableName(name);
    let unique = base;
    for (let count = 2; taken.has(unique); count += 1) unique = `${base}_${count}`;
    taken.add(unique);
    return [{ column, name: unique }];
  });
}

/** `First name` is `first_name`, and `firstName` stays as it is. */
export function variableName(column: string): string {
  const joined = column
    .trim()
    .replace(NOT_OF_A_NAME, '_')
    .replace(/^_+|_+$/g, '');
  const isOneWord = /^\p{Ll}[\p{L}\p{N}]*$/u.test(joined);
  return (isOneWord ? joined : joined.toLowerCase()).slice(0, 60) || 'value';
}

/** A row as a line of the list, by what its columns are. */
export function personOf(row: TableRow, mapping: ColumnMapping, width: number): GivenPerson {
  const { line, cells } = row;
  const variables = Object.fromEntries(
    mapping.variables.flatMap(({ column, name }) => {
      const value = cells[column] ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  const extra = cells.slice(width).filter((cell) => cell !== '').length;
  const problem =
    extra > 0
      ? `The line has more cells than the first one has columns (${width}); a separator inside of a cell has to stand in quotation marks.`
      : undefined;
  return { line, number: cells[mapping.numberColumn] ?? '', variables, problem };
}
