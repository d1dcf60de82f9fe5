/** Samples of many arrays, read in pieces; nothing is copied on the way in. */
export function createSampleQueue() {
  let parts: Int16Array[] = [];
  let first = 0;
  let offset = 0;
  let size = 0;

  /** Goes on by so many samples of the first part. */
  function pass(part: Int16Array, count: number): void {
    offset += count;
    size -= count;
    if (offset < part.length) return;
    offset = 0;
    first += 1;
    // Parts that were read are let go now and then: removing the first of many each time would be slow.
    if (first <= 32 && first < parts.length) return;
    parts = parts.slice(first);
    first = 0;
  }

  return {
    get size() {
      return size;
    },
    add(samples: Int16Array) {
      if (samples.length === 0) return;
      parts.push(samples);
      size += samples.length;
    },
    clear() {
      parts = [];
      first = 0;
      offset = 0;
      size = 0;
    },
    /** The next `count` samples where they lie in one array, in its memory; undefined where they do not. */
    view(count: number): Int16Array | undefined {
      const part = parts[first];
      if (!part || part.length - offset < count) return undefined;
      const samples = part.subarray(offset, offset + count);
      pass(part, count);
      return samples;
    },
    /** Fills `target` from its beginning; gives how many samples there were. */
    read(target: Int16Array): number {
      let filled = 0;
      while (filled < target.length) {
        const part = parts[first];
        if (!part) break;
        const piece = part.subarray(offset, offset + target.length - filled);
        target.set(piece, filled);
        filled += piece.length;
        pass(part, piece.length);
      }
      return filled;
    },
  };
}
