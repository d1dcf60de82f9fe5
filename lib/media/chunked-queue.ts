import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

/** 100 ms: little is left empty, and few pieces are in hand. */
const CHUNK_SAMPLES = 100 * SAMPLES_PER_MS;

/** Memory for samples that many queues share: what one has read, another fills. */
export type ChunkPool = { take(): Int16Array; give(chunk: Int16Array): void };

export function createChunkPool(): ChunkPool {
  const free: Int16Array[] = [];
  return {
    take: () => free.pop() ?? new Int16Array(CHUNK_SAMPLES),
    give: (chunk) => void free.push(chunk),
  };
}

/**
 * Samples that are copied in and read in pieces. Where they came from can be collected while it is young: an array that waits
 * for seconds to be read grows old, and old ones are what a thread stops for (docs/decisions/0318).
 */
export function createChunkedQueue(pool: ChunkPool) {
  const chunks: Int16Array[] = [];
  /** In the first chunk, from which on it was not read. */
  let offset = 0;
  /** In the last chunk, until where it is filled. */
  let filled = 0;
  let size = 0;

  function add(samples: Int16Array): void {
    for (let at = 0; at < samples.length;) {
      let last = chunks.at(-1);
      if (!last || filled === CHUNK_SAMPLES) {
        last = pool.take();
        chunks.push(last);
        filled = 0;
      }
      const piece = samples.subarray(at, at + CHUNK_SAMPLES - filled);
      last.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
    size += samples.length;
  }

  /** Fills `target` from its beginning; gives how many samples there were. */
  function read(target: Int16Array): number {
    const count = Math.min(size, target.length);
    for (let at = 0; at < count; at += 1) {
      const [first] = chunks;
      if (!first) break;
      target[at] = first[offset] ?? 0;
      offset += 1;
      if (offset === CHUNK_SAMPLES) dropFirst();
    }
    size -= count;
    if (size === 0) clear();
    return count;
  }

  function dropFirst(): void {
    const first = chunks.shift();
    if (first) pool.give(first);
    offset = 0;
  }

  function clear(): void {
    while (chunks.length > 0) dropFirst();
    offset = 0;
    size = 0;
  }

  return { size: () => size, add, read, clear };
}
