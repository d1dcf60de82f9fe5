import { expect, it } from 'vitest';
import { createChunkedQueue, createChunkPool } from './chunked-queue.ts';

const ramp = (length: number, first = 1) => Int16Array.from({ length }, (_, index) => first + index);

/** How many chunks were made, and are not in use. */
function countingPool() {
  const pool = createChunkPool();
  const count = { taken: 0, given: 0 };
  return {
    count,
    pool: {
      take: () => ((count.taken += 1), pool.take()),
      give: (chunk: Int16Array) => ((count.given += 1), pool.give(chunk)),
    },
  };
}

it('gives samples in order, whatever the sizes of the pieces that came and go', () => {
  const queue = createChunkedQueue(createChunkPool());
  const all = ramp(9_000);
  const given: number[] = [];
  for (let at = 0, size = 1; at < all.length; at += size, size = 1 + ((size * 7 + 13) % 2_500)) {
    queue.add(all.subarray(at, at + size));
    const piece = new Int16Array(320);
    given.push(...piece.subarray(0, queue.read(piece)));
  }
  const rest = new Int16Array(9_000);
  given.push(...rest.subarray(0, queue.read(rest)));
  expect(given).toEqual([...all]);
  expect(queue.size()).toBe(0);
  expect(queue.read(rest)).toBe(0);
});

it('does not change with what it was given', () => {
  const queue = createChunkedQueue(createChunkPool());
  const samples = ramp(10);
  queue.add(samples);
  samples.fill(0);
  const read = new Int16Array(10);
  queue.read(read);
  expect(read).toEqual(ramp(10));
});

it('gives its memory back when it was read, and when it is cleared', () => {
  const { pool, count } = countingPool();
  const [one, other] = [createChunkedQueue(pool), createChunkedQueue(pool)];
  one.add(ramp(4_000));
  one.read(new Int16Array(4_000));
  other.add(ramp(5_000));
  other.clear();
  expect(other.size()).toBe(0);
  expect(count.taken).toBe(3 + 4);
  expect(count.given).toBe(count.taken);
  other.add(ramp(5));
  const read = new Int16Array(8);
  expect(other.read(read)).toBe(5);
  expect([...read]).toEqual([1, 2, 3, 4, 5, 0, 0, 0]);
});
