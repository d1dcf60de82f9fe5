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
    /** Busy time of the parsing process: good files take a second per megabyte at most, small ones are given no more. */
    busyMs: Math.round(7_500 + Math.max(0, megabytes - 4) * 1_150),
    /** Of 512 MB that the process may hold at most, so that what it allocates between two looks fits as well. */
    memoryBytes: 448 * MEGABYTE,
    /** Borders between short cells, and the names of short values, may double the text of a good file. */
    textCharacters: Math.round(Math.max(2_000_000, sizeBytes * 2, Math.min(60_000_000, sizeBytes * 20))),
    /** Word's own files unpack to 10 to 30 times their size, bombs to 500 and more. */
    inflatedBytes: Math.round(Math.min(400 * MEGABYTE, Math.max(6 * MEGABYTE, sizeBytes * 100))),
  };
}

export type ParseLimits = ReturnType<typeof limitsFor>;

export function noText(): UnreadableDocument {
  return new UnreadableDocument(
    'The file holds no text. Check that it is the right file, and that it is not empty.',
  );
}
