/** A document that cannot be read, with a sentence that says why and what to do. Shown to people as it is. */
export class UnreadableDocument extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'UnreadableDocument';
  }
}

const MEGABYTE = 1024 * 1024;

/** What one document may cost; small files get little, so that no small file inflates into much work. */
export function limitsFor(sizeBytes: number) {
  const megabytes = sizeBytes / MEGABYTE;
  return {
    /** Busy time of the parsing process: 8 s and a second per megabyte. Hostile files are small, good ones may be large. */
    busyMs: Math.min(60_000, Math.round(8_000 + megabytes * 1_000)),
    /** Of 512 MB that the process may hold at most, so that what it allocates between two looks fits as well. */
    memoryBytes: 448 * MEGABYTE,
    textCharacters: Math.round(Math.min(60_000_000, Math.max(5_000_000, sizeBytes * 20))),
    inflatedBytes: Math.round(Math.min(400 * MEGABYTE, Math.max(64 * MEGABYTE, sizeBytes * 30))),
  };
}

export type ParseLimits = ReturnType<typeof limitsFor>;

export function noText(): UnreadableDocument {
  return new UnreadableDocument('The file holds no text. Check that it is the right file, and that it is not empty.');
}
