import type { Term } from './terms.ts';

/**
 * Which chunks of a document hold a term: for each term its hash and the numbers of its chunks, in order of the hashes,
 * cut into blocks of some kilobytes. A question reads the blocks whose range its terms' hashes fall into.
 *
 * In a block every number is a varint: the step from the last hash, how many chunks, and the steps between them. Two
 * terms with the same 32 bits count as one; among 100,000 terms of a collection, one question in 5,000 meets that.
 */
export type TermBlock = {
  /** The least and the greatest hash in it, as signed 32-bit numbers. */
  low: number;
  high: number;
  postings: Uint8Array;
};

/** Terms of chunks that are held in memory (8 bytes each) until they are sorted and written: a quarter of a 50 MB text. */
const HELD_POSTINGS = 2 ** 21;
/** Small, because a question reads a whole block for a term: with 16 kB the words of 100,000 chunks took three times as long. */
const BLOCK_BYTES = 4_096;
const MAX_VARINT_BYTES = 5;
/** A key is the hash, then the chunk's number within those held, in the 53 bits that a double counts exactly. */
const NUMBER_RANGE = 2 ** 21;
const HASH_OFFSET = 2 ** 31;

/** Collects the terms of a document's chunks, given in order, and hands on blocks whenever enough has come together. */
export function createTermBlockWriter(write: (blocks: TermBlock[]) => void) {
  let keys = new Float64Array(1_024);
  let count = 0;
  let firstNumber = 0;

  function flush(): void {
    if (count > 0) write(blocksOf(keys.subarray(0, count).sort(), firstNumber));
    count = 0;
  }

  return {
    add(number: number, terms: Iterable<Pick<Term, 'hash'>>): void {
      if (count >= HELD_POSTINGS || number - firstNumber >= NUMBER_RANGE) flush();
      if (count === 0) firstNumber = number;
      for (const term of terms) {
        if (count === keys.length) keys = grown(keys);
        keys[count] = (term.hash + HASH_OFFSET) * NUMBER_RANGE + (number - firstNumber);
        count += 1;
      }
    },
    flush,
  };
}

function grown(keys: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(keys.length * 2);
  larger.set(keys);
  return larger;
}

function blocksOf(keys: Float64Array, firstNumber: number): TermBlock[] {
  const blocks: TermBlock[] = [];
  let block = startBlock();
  for (let from = 0; from < keys.length;) {
    const hash = Math.floor((keys[from] ?? 0) / NUMBER_RANGE);
    const numbers: number[] = [];
    let to = from;
    for (; to < keys.length && Math.floor((keys[to] ?? 0) / NUMBER_RANGE) === hash; to++) {
      const number = (keys[to] ?? 0) - hash * NUMBER_RANGE + firstNumber;
      // Two terms of one chunk with the same hash.
      if (number !== numbers.at(-1)) numbers.push(number);
    }
    block.append(hash - HASH_OFFSET, numbers);
    if (block.size() >= BLOCK_BYTES) {
      blocks.push(block.finish());
      block = startBlock();
    }
    from = to;
  }
  if (block.size() > 0) blocks.push(block.finish());
  return blocks;
}

function startBlock() {
  let bytes = new Uint8Array(1_024);
  let at = 0;
  let low: number | undefined;
  let high = -HASH_OFFSET;

  function varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      bytes[at++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    bytes[at++] = rest;
  }

  return {
    size: () => at,
    append(hash: number, numbers: readonly number[]): void {
      const needed = at + (2 + numbers.length) * MAX_VARINT_BYTES;
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
        larger.set(bytes);
        bytes = larger;
      }
      varint(hash - high);
      varint(numbers.length);
      let last = 0;
      for (const number of numbers) {
        varint(number - last);
        last = number;
      }
      low ??= hash;
      high = hash;
    },
    finish: (): TermBlock => ({ low: low ?? 0, high, postings: bytes.slice(0, at) }),
  };
}

/** Calls `found` for every wanted hash in the block, with the numbers of the chunks that hold the term, in order. */
export function readTermBlock(
  postings: Uint8Array,
  wanted: ReadonlySet<number>,
  found: (hash: number, numbers: number[]) => void,
): void {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = postings[at++] ?? 0;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  let hash = -HASH_OFFSET;
  while (at < postings.length) {
    hash += varint();
    const count = varint();
    if (wanted.has(hash)) {
      let number = 0;
      found(
        hash,
        Array.from({ length: count }, () => (number += varint())),
      );
    } else {
      for (let skipped = 0; skipped < count; skipped++) while ((postings[at++] ?? 0) >= 128);
    }
  }
}
