/** PostgreSQL's binary form of a `tsvector` without positions: a count, then each word ended by a NUL and a zero count. */
export function tsvectorBytes(terms: Iterable<string>): Buffer {
  const words = [...new Set(terms)].filter((term) => term !== '');
  const parts: Buffer[] = [int32(words.length)];
  for (const word of words) parts.push(Buffer.from(`${word}\u0000\u0000\u0000`, 'utf8'));
  return Buffer.concat(parts);
}

/** pgvector's binary form of a `halfvec`: two 16-bit numbers (dimensions, unused), then big-endian half floats. */
export function halfvecBytes(vector: Float32Array): Buffer {
  const halves = Buffer.from(new Float16Array(vector).buffer).swap16();
  const head = Buffer.alloc(4);
  head.writeInt16BE(vector.length);
  return Buffer.concat([head, halves]);
}

const COPY_HEADER = Buffer.from('PGCOPY\n\u00ff\r\n\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000', 'latin1');
const COPY_TRAILER = Buffer.from([0xff, 0xff]);

/** The input of `copy … with (format binary)`: strings go as text, numbers as `integer`, bytes as they are. */
export function copyBytes(rows: (string | number | Uint8Array)[][]): Buffer {
  const parts: Uint8Array[] = [COPY_HEADER];
  for (const row of rows) {
    const count = Buffer.alloc(2);
    count.writeInt16BE(row.length);
    parts.push(count);
    for (const value of row) {
      const bytes = typeof value === 'string' ? Buffer.from(value, 'utf8') : typeof value === 'number' ? int32(value) : value;
      parts.push(int32(bytes.byteLength), bytes);
    }
  }
  parts.push(COPY_TRAILER);
  return Buffer.concat(parts);
}

/** `jsonb` in its binary form: a version byte before the text. */
export function jsonbBytes(value: unknown): Buffer {
  return Buffer.from(`\u0001${JSON.stringify(value)}`, 'utf8');
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}
