import type { Readable } from 'node:stream';
import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { type ParseLimits, UnreadableDocument } from './unreadable.ts';

const MAX_ENTRIES = 5_000;
const ZIP64_LOCATOR = Buffer.from('PK\u0006\u0007', 'latin1');
const END_OF_DIRECTORY_BYTES = 22 + 65_535;
const STORED = 0;
const DEFLATED = 8;

export type ZipParts = {
  has(name: string): boolean;
  sizeOf(name: string): number;
  /** The inflated bytes, counted while they come: a directory that lies about sizes is refused. */
  read(name: string): AsyncIterable<Buffer>;
};

/**
 * Opens a zip after its whole directory was checked: nothing encrypted, no zip64, no entries that share bytes or
 * names, no sizes beyond the limits. Nothing is inflated but what is read.
 */
export async function openZip(bytes: Buffer, limits: ParseLimits): Promise<ZipParts> {
  const tail = bytes.subarray(Math.max(0, bytes.length - END_OF_DIRECTORY_BYTES));
  if (tail.includes(ZIP64_LOCATOR)) throw unusual('it uses the zip64 format');
  const zip = await refusing(() =>
    fromBufferPromise(bytes, { lazyEntries: true, validateEntrySizes: true, strictFileNames: true }),
  );
  const entries = await refusing(() => readDirectory(zip));
  await refuseOverlaps(zip, entries, bytes.length);
  let inflated = 0;
  return {
    has: (name) => entries.has(name),
    sizeOf: (name) => entries.get(name)?.uncompressedSize ?? 0,
    async *read(name) {
      const entry = entries.get(name);
      if (!entry) return;
      if (entry.uncompressedSize > limits.inflatedBytes) throw tooLarge(limits);
      const stream: Readable = await refusing(() => zip.openReadStreamPromise(entry));
      try {
        for await (const piece of stream) {
          const part = piece as Buffer;
          inflated += part.length;
          if (inflated > limits.inflatedBytes) throw tooLarge(limits);
          yield part;
        }
      } catch (error) {
        throw error instanceof UnreadableDocument ? error : damaged();
      }
    },
  };

  async function readDirectory(file: ZipFile): Promise<Map<string, Entry>> {
    if (file.entryCount > MAX_ENTRIES)
      throw unusual(`it holds more than ${MAX_ENTRIES.toLocaleString('en-US')} parts`);
    const found = new Map<string, Entry>();
    for await (const entry of file.eachEntry()) {
      if (entry.isEncrypted())
        throw new UnreadableDocument(
          'This Word document is protected by a password. Remove the protection and upload it again.',
        );
      if (entry.extraFields.some((field) => field.id === 1)) throw unusual('it uses the zip64 format');
      if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED)
        throw unusual('it uses an unusual compression');
      if (found.has(entry.fileName)) throw unusual('two of its parts have the same name');
      found.set(entry.fileName, entry);
    }
    return found;
  }
}

/** Entries that point into one another let a small file inflate without end. */
async function refuseOverlaps(zip: ZipFile, entries: Map<string, Entry>, sizeBytes: number): Promise<void> {
  const ordered = [...entries.values()].sort(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let taken = 0;
  for (const entry of ordered) {
    const { fileDataStart } = await refusing(() => zip.readLocalFileHeaderPromise(entry, { minimal: true }));
    if (entry.relativeOffsetOfLocalHeader < taken) throw unusual('its parts overlap');
    taken = fileDataStart + entry.compressedSize;
    if (taken > sizeBytes) throw damaged();
  }
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof UnreadableDocument ? error : damaged();
  }
}

function damaged(): UnreadableDocument {
  return new UnreadableDocument(
    'This Word document is damaged and cannot be opened. Open it in Word, save it as .docx again, and upload that.',
  );
}

function unusual(what: string): UnreadableDocument {
  return new UnreadableDocument(
    `This Word document was not written as Word writes them: ${what}. Open it in Word, save it as .docx again, and upload that.`,
  );
}

function tooLarge(limits: ParseLimits): UnreadableDocument {
  const megabytes = Math.round(limits.inflatedBytes / 1024 / 1024);
  return new UnreadableDocument(
    `The document unpacks to more than ${megabytes} MB, too much for a file of its size. Split it into parts.`,
  );
}
