import { randomUUID } from 'node:crypto';
import { readSync, writeSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A stretch of the buffer, in bytes. */
export type BufferPart = { at: number; length: number };

/**
 * How a document comes to its parsing process, and what the database takes from there: a file without a name, that is
 * gone with its last user. As messages the bytes of a 50 MB text were copied into three new buffers each, and freeing those
 * was a fifth of the web process's time, in pauses of 40 ms; read into one buffer again and again, they are never freed.
 */
export async function openFileBuffer() {
  const path = join(tmpdir(), `callwright-rows-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  const buffer = new ArrayBuffer(0, { maxByteLength: 2 ** 28 });

  return {
    fd: file.fd,
    /** Writes the document, which the parsing process reads before it writes anything itself. */
    async fill(document: AsyncIterable<Uint8Array>): Promise<{ sizeBytes: number }> {
      let sizeBytes = 0;
      for await (const piece of document) {
        await file.writeFile(piece);
        sizeBytes += piece.byteLength;
      }
      return { sizeBytes };
    },
    /** The bytes of a part; they hold until the next one is read. */
    read({ at, length }: BufferPart): Uint8Array<ArrayBuffer> {
      if (buffer.byteLength !== length) buffer.resize(length);
      return readAll(file.fd, new Uint8Array(buffer), at);
    },
    close: () => file.close(),
  };
}

export type FileBuffer = Awaited<ReturnType<typeof openFileBuffer>>;

/** The document that the caller left at the front, for the parsing process. */
export function readDocument(fd: number, sizeBytes: number): Buffer {
  return readAll(fd, Buffer.allocUnsafeSlow(sizeBytes), 0);
}

/** The side that writes, once the document was read. Parts are taken in the order in which they were written. */
export function joinFileBuffer(fd: number) {
  const parts: BufferPart[] = [];

  return {
    /** The pieces become one part. */
    write(pieces: Uint8Array[]): BufferPart {
      const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
      // At the front where that is free, so that the file stays as small as what is on its way.
      const at = parts.every((part) => part.at >= length)
        ? 0
        : Math.max(...parts.map((part) => part.at + part.length));
      let end = at;
      for (const piece of pieces) {
        for (let written = 0; written < piece.length;) {
          const more = writeSync(fd, piece, written, piece.length - written, end);
          written += more;
          end += more;
        }
      }
      const part = { at, length };
      parts.push(part);
      return part;
    },
    releaseFirst(): void {
      parts.shift();
    },
  };
}

/** Fills `bytes` from byte `from` of the file. */
function readAll<Bytes extends Uint8Array>(fd: number, bytes: Bytes, from: number): Bytes {
  for (let at = 0; at < bytes.length;) {
    const more = readSync(fd, bytes, at, bytes.length - at, from + at);
    if (more === 0) throw new Error('the buffer holds less than was said');
    at += more;
  }
  return bytes;
}
