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

/** Terms of chunks that are held in memory (8 bytes each, 16 while sorted) until they are written: a quarter of a 50 MB text. */
const HELD_POSTINGS = 2 ** 21;
/** Small, because a question reads a whole block for a term: with 16 kB the words of 100,000 chunks took three times as long. */
const BLOCK_BYTES = 4_096;
const MAX_VARINT_BYTES = 5;
const HASH_OFFSET = 2 ** 31;

/** Collects the terms of a document's chunks, given in order, and hands on blocks whenever enough has come together. */
export function createTermBlockWriter(write: (blocks: TermBlock[]) => void) {
  let postings = emptyPostings(1_024);
  let count = 0;

  function flush(): void {
    if (count > 0) write(blocksOf(sortedByHash(postings, count), count));
    count = 0;
  }

  return {
    /** `hashes` are those of the chunk's terms (`termHash`), each once. */
    add(number: number, hashes: Iterable<number>): void {
      if (count >= HELD_POSTINGS) flush();
      for (const hash of hashes) {
        if (count === postings.hashes.length) postings = grown(postings);
        postings.hashes[count] = hash + HASH_OFFSET;
        postings.numbers[count] = number;
        count += 1;
      }
    },
    flush,
  };
}

/** Terms, as their hashes from 0 up, and beside each the number of a chunk that holds it. */
type Postings = { hashes: Uint32Array; numbers: Uint32Array };

function emptyPostings(length: number): Postings {
  return { hashes: new Uint32Array(length), numbers: new Uint32Array(length) };
}

function grown(postings: Postings): Postings {
  const larger = emptyPostings(postings.hashes.length * 2);
  larger.hashes.set(postings.hashes);
  larger.numbers.set(postings.numbers);
  return larger;
}

const DIGIT_BITS = 16;
const DIGITS = 2 ** DIGIT_BITS;

/** A radix sort, several times as fast as sorting pairs packed into doubles; the numbers of a hash stay in order. */
function sortedByHash(postings: Postings, count: number): Postings {
  let [from, to] = [postings, emptyPostings(count)];
  for (let shift = 0; shift < 32; shift += DIGIT_BITS) {
    const places = new Uint32Array(DIGITS + 1);
    for (let at = 0; at < count; at++) {
      const next = digitOf(from.hashes[at] ?? 0, shift) + 1;
      places[next] = (places[next] ?? 0) + 1;
    }
    for (let digit = 1; digit < DIGITS; digit++)
      places[digit] = (places[digit] ?? 0) + (places[digit - 1] ?? 0);
    for (let at = 0; at < count; at++) {
      const hash = from.hashes[at] ?? 0;
      const digit = digitOf(hash, shift);
      const place = places[digit] ?? 0;
      places[digit] = place + 1;
      to.hashes[place] = hash;
      to.numbers[place] = from.numbers[at] ?? 0;
    }
    [from, to] = [to, from];
  }
  return from;
}

function digitOf(hash: number, shift: number): number {
  return (hash >>> shift) & (DIGITS - 1);
}

function blocksOf({ hashes, numbers }: Postings, count: number): TermBlock[] {
  const blocks: TermBlock[] = [];
  let block = startBlock();
  for (let from = 0; from < count;) {
    const hash = hashes[from] ?? 0;
    const held: number[] = [];
    let to = from;
    for (; to < count && hashes[to] === hash; to++) {
      const number = numbers[to] ?? 0;
      // Two terms of one chunk with the same hash.
      if (number !== held.at(-1)) held.push(number);
    }
    block.append(hash - HASH_OFFSET, held);
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
