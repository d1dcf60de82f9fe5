/**
 * What one thread tells another many times in a second: entries of a few numbers, each with room for samples, in memory of
 * both. Nothing is made for an entry and collected after it, as with messages. One writes, one reads.
 */
export type SharedQueueMemory = {
  shape: Shape;
  /** How many entries were written and read, counted on beyond what fits: differences are right all the same. */
  counts: SharedArrayBuffer;
  numbers: SharedArrayBuffer;
  samples: SharedArrayBuffer;
};

/** `capacity`: entries that fit in; a power of two, so that places go on where counts begin anew. */
type Shape = { numbers: number; samples: number; capacity: number };

const WRITTEN = 0;
const READ = 1;

export function createSharedQueueMemory(shape: Shape): SharedQueueMemory {
  const { numbers, samples, capacity } = shape;
  return {
    shape,
    counts: new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT),
    numbers: new SharedArrayBuffer(capacity * numbers * Float64Array.BYTES_PER_ELEMENT),
    samples: new SharedArrayBuffer(capacity * samples * Int16Array.BYTES_PER_ELEMENT),
  };
}

export type SharedQueueWriter = {
  /** Copies an entry; one that finds no room waits, in order, until there is some and something else is written. */
  write(numbers: readonly number[], samples?: Int16Array): void;
  /** Of entries that wait for room. */
  waiting(): number;
};

export function writeSharedQueue(memory: SharedQueueMemory): SharedQueueWriter {
  const { shape, counts, numbers, samples } = viewsOf(memory);
  let waiting: { numbers: readonly number[]; samples: Int16Array | undefined }[] = [];

  function put(entry: readonly number[], sound: Int16Array | undefined): boolean {
    const written = Atomics.load(counts, WRITTEN);
    if (((written - Atomics.load(counts, READ)) | 0) >= shape.capacity) return false;
    const place = placeOf(written, shape);
    for (let index = 0; index < shape.numbers; index += 1)
      numbers[place * shape.numbers + index] = entry[index] ?? 0;
    if (sound) samples.set(sound, place * shape.samples);
    Atomics.store(counts, WRITTEN, (written + 1) | 0);
    return true;
  }

  return {
    write(entry, sound) {
      if (waiting.length > 0) {
        const stays = waiting.findIndex((each) => !put(each.numbers, each.samples));
        waiting = stays === -1 ? [] : waiting.slice(stays);
      }
      if (waiting.length > 0 || !put(entry, sound)) waiting.push({ numbers: entry, samples: sound?.slice() });
    },
    waiting: () => waiting.length,
  };
}

/** Reads what is there: `onEntry` gets numbers and samples that are used again for the next entry. */
export type ReadSharedQueue = (onEntry: (numbers: readonly number[], samples: Int16Array) => void) => void;

export function readSharedQueue(memory: SharedQueueMemory): ReadSharedQueue {
  const { shape, counts, numbers, samples } = viewsOf(memory);
  const entry = Array.from({ length: shape.numbers }, () => 0);

  return (onEntry) => {
    for (;;) {
      const read = Atomics.load(counts, READ);
      if (read === Atomics.load(counts, WRITTEN)) return;
      const place = placeOf(read, shape);
      for (let index = 0; index < shape.numbers; index += 1)
        entry[index] = numbers[place * shape.numbers + index] ?? 0;
      try {
        onEntry(entry, samples.subarray(place * shape.samples, (place + 1) * shape.samples));
      } finally {
        Atomics.store(counts, READ, (read + 1) | 0);
      }
    }
  };
}

const placeOf = (count: number, { capacity }: Shape) => (count >>> 0) % capacity;

function viewsOf({ shape, counts, numbers, samples }: SharedQueueMemory) {
  return {
    shape,
    counts: new Int32Array(counts),
    numbers: new Float64Array(numbers),
    samples: new Int16Array(samples),
  };
}
