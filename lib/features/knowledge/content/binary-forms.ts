/** Bytes before the bits of a `bit(n)`. */
export const BIT_HEAD = 4;

/** PostgreSQL's binary form of a `bit(n)` of whole bytes, to be filled: how many bits, then the bits, the first one highest. */
export function emptyBits(count: number): Buffer {
  const bytes = Buffer.allocUnsafe(BIT_HEAD + count / 8);
  bytes.writeInt32BE(count);
  return bytes;
}

/** pgvector's binary form of a `halfvec`: two 16-bit numbers (dimensions, unused), then big-endian half floats. */
export function halfvecBytes(vector: Float32Array): Buffer {
  const bytes = Buffer.allocUnsafe(4 + 2 * vector.length);
  new Float16Array(bytes.buffer, bytes.byteOffset + 4, vector.length).set(vector);
  bytes.subarray(4).swap16();
  bytes.writeInt32BE(vector.length << 16);
  return bytes;
}

const COPY_HEADER = Buffer.from(
  'PGCOPY\n\u00ff\r\n\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000',
  'latin1',
);
const END_OF_ROWS = -1;

type CopyValue = string | number | Uint8Array;

/**
 * The input of `copy … with (format binary)`: strings go as text, numbers as `integer`, bytes as they are. Written
 * into one buffer: many small ones made the collector the most expensive part of an upload.
 */
export function copyBytes(rows: CopyValue[][]): Buffer<ArrayBuffer> {
  let sizeBytes = COPY_HEADER.length + 2;
  for (const row of rows) for (const value of row) sizeBytes += 4 + sizeOf(value);
  sizeBytes += 2 * rows.length;
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let at = COPY_HEADER.copy(bytes);
  for (const row of rows) {
    at = bytes.writeInt16BE(row.length, at);
    for (const value of row) {
      at = bytes.writeInt32BE(sizeOf(value), at);
      if (typeof value === 'number') at = bytes.writeInt32BE(value, at);
      else if (typeof value === 'string') at += bytes.write(value, at, 'utf8');
      else {
        bytes.set(value, at);
        at += value.byteLength;
      }
    }
  }
  bytes.writeInt16BE(END_OF_ROWS, at);
  return bytes;
}

function sizeOf(value: CopyValue): number {
  if (typeof value === 'number') return 4;
  return typeof value === 'string' ? Buffer.byteLength(value, 'utf8') : value.byteLength;
}

/** `jsonb` in its binary form: a version byte before the text. */
export function jsonbBytes(value: unknown): Buffer {
  return Buffer.from(`\u0001${JSON.stringify(value)}`, 'utf8');
}
