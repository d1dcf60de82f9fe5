import { expect, it } from 'vitest';
import { describeColumns, personOf, variableName } from './columns.ts';
import { readTable, type TableRow } from './read-table.ts';

async function read(content: string | Buffer) {
  const rows: TableRow[] = [];
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const delimiter = await readTable(bytes, (row) => rows.push(row));
  return { delimiter, rows, cells: rows.map((row) => row.cells), lines: rows.map((row) => row.line) };
}

const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);

it.each([
  ['commas', 'Phone,Name\n+15550109900,Ann\n', ','],
  ["Excel's semicolons, its mark and its line ends", '\uFEFFPhone;Name\r\n+15550109900;Ann\r\n', ';'],
  ['tabs', 'Phone\tName\n+15550109900\tAnn', '\t'],
  ['a line that names the separator', 'sep=|\r\nPhone|Name\r\n+15550109900|Ann', '|'],
  ['the line ends of old Macs', 'Phone,Name\r+15550109900,Ann\r', ','],
])('reads a table with %s', async (_, text, delimiter) => {
  const table = await read(text);
  expect(table.delimiter).toBe(delimiter);
  expect(table.cells).toEqual([
    ['Phone', 'Name'],
    ['+15550109900', 'Ann'],
  ]);
});

it('reads UTF-16 and older encodings', async () => {
  const text = 'Phone;Name\r\n+4930901820;Jürgen Groß\r\n';
  expect((await read(utf16(text))).cells[1]).toEqual(['+4930901820', 'Jürgen Groß']);
  expect((await read(Buffer.from(text, 'latin1'))).cells[1]).toEqual(['+4930901820', 'Jürgen Groß']);
});

it('tells the line of the file where a row begins, behind cells with line breaks and empty rows', async () => {
  const { lines, cells } = await read(
    'Phone,Note\r\n+15550109900,"one\r\ntwo, ""three"""\r\n\r\n ,  \r\n+15550109901,x\r\n',
  );
  expect(lines).toEqual([1, 2, 6]);
  expect(cells[1]).toEqual(['+15550109900', 'one\ntwo, "three"']);
});

it.each([
  ['an empty file', '', 'is empty'],
  [
    'a quotation mark that is never closed',
    'a,b\n1,2\n3,"4\n5,6\n',
    'has a quotation mark in line 3 that is never closed',
  ],
  [
    'a quotation mark behind which nothing is sure',
    'a,b\n"1"x,2\n3,"4"\n',
    'has a quotation mark in line 2 where none can be',
  ],
  [
    'a spreadsheet',
    Buffer.from('PK\u0003\u0004rest'),
    'is an Excel or OpenDocument file; save it as CSV and choose that file',
  ],
  [
    'an image',
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1]),
    'is no text; save the table as CSV (UTF-8) and choose that file',
  ],
  ['a thousand columns', `${'a,'.repeat(1000)}a\n`, 'has 1,001 columns in line 1; 100 are the most'],
])('refuses %s in words', async (_, content, reason) => {
  await expect(read(content)).rejects.toThrow(reason);
});

it('finds the column of the number by its name and by what stands in it', async () => {
  const { rows } = await read(
    'Customer id,Mobile phone,First name,City\n5550107,(555) 010-9900,Ann,Ulm\n5550108,555-010-9901,Bob,Bonn\n',
  );
  const described = describeColumns(rows, { country: { code: 'US', isGuessed: false } });
  expect(described.hasHeader).toBe(true);
  expect(described.suggested).toEqual({
    numberColumn: 1,
    variables: [
      { column: 0, name: 'customer_id' },
      { column: 2, name: 'first_name' },
      { column: 3, name: 'city' },
    ],
  });
  expect(described.columns[1]?.samples).toEqual(['(555) 010-9900', '555-010-9901']);
});

it('takes the first row for a person where it has a number', async () => {
  const { rows } = await read('+15550109900\n+15550109901\n');
  const described = describeColumns(rows, { country: { code: 'US', isGuessed: false } });
  expect(described).toMatchObject({ hasHeader: false, suggested: { numberColumn: 0, variables: [] } });
  expect(described.columns.map(({ name }) => name)).toEqual(['Column 1']);
});

it('makes names of variables that a prompt can have', () => {
  expect(['First name', 'firstName', 'Straße / Nr.', '%%', 'DATE'].map(variableName)).toEqual([
    'first_name',
    'firstName',
    'straße_nr',
    'value',
    'date',
  ]);
});

it('says which rows have more cells than the table has columns', async () => {
  const { rows } = await read('Phone,Name\n+15550109900,Ann, Lee\n+15550109901,Bob,\n');
  const mapping = { hasHeader: true, numberColumn: 0, variables: [{ column: 1, name: 'name' }] };
  const people = rows.slice(1).map((row) => personOf(row, mapping, 2));
  expect(people.map(({ problem }) => problem !== undefined)).toEqual([true, false]);
  expect(people[1]).toMatchObject({ line: 3, number: '+15550109901', variables: { name: 'Bob' } });
});
