import type { ChunkSource } from '#db/schema/knowledge.ts';
import type { CopyRows } from '../content/rows.ts';

export type ChunkSeen = { text: string; source: ChunkSource };

/** The chunks among rows that are on their way into the database. */
export function chunksIn(rows: CopyRows[]): ChunkSeen[] {
  return rowsInto(rows, 'chunks').map(([, , text, source]) => ({
    text: String(text),
    source: JSON.parse(String(source).slice(1)) as ChunkSource,
  }));
}

/** The numbers of the chunks that rows of this table belong to. */
export function numbersIn(rows: CopyRows[], table: 'chunks' | 'vectors' | 'codes'): number[] {
  // Before the number stand the document and, but for chunks, the model.
  const at = table === 'chunks' ? 1 : 2;
  return rowsInto(rows, table).map((fields) => fields[at]?.readInt32BE() ?? Number.NaN);
}

function rowsInto(rows: CopyRows[], table: CopyRows['into']): Buffer[][] {
  return rows.filter(({ into }) => into === table).flatMap(({ bytes }) => fieldsOf(Buffer.from(bytes)));
}

const HEADER_BYTES = 19;

/** The values of each row of a binary COPY (PostgreSQL's documentation of COPY, "Binary Format"). */
function fieldsOf(bytes: Buffer): Buffer[][] {
  const rows: Buffer[][] = [];
  let at = HEADER_BYTES;
  for (;;) {
    const fields = bytes.readInt16BE(at);
    if (fields === -1) return rows;
    at += 2;
    const row: Buffer[] = [];
    for (let field = 0; field < fields; field++) {
      const end = at + 4 + bytes.readInt32BE(at);
      row.push(bytes.subarray(at + 4, end));
      at = end;
    }
    rows.push(row);
  }
}
