import { HASH_START, hashOfFour, hashOfUnits, hashStep } from './hash.ts';

export const LEXICAL_DIMENSIONS = 3072;

/**
 * Writes where a term stands in a hashed vector: the feature of the term itself, then those of its trigrams, from `at` on.
 * Answers where they end. A feature is twice its dimension, and one more where it is subtracted.
 */
export function writeFeatures(units: Uint16Array, length: number, into: Uint16Array, at: number): number {
  into[at] = featureOf(hashOfUnits(units, length, AFTER_EQUALS));
  if (length < 4) return at + 1;
  let before = START;
  let here = units[0] ?? 0;
  for (let index = 1; index <= length; index++) {
    const after = index === length ? END : (units[index] ?? 0);
    into[at + index] = featureOf(hashOfFour(MARK, before, here, after));
    before = here;
    here = after;
  }
  return at + 1 + length;
}

function featureOf(hash: number): number {
  return (hash % LEXICAL_DIMENSIONS) * 2 + (hash >>> 31);
}

/** What keeps whole terms and trigrams apart, and what stands for the start and the end of a term. */
const [EQUALS, MARK, START, END] = [0x3d, 0x7e, 0x5e, 0x24]; // = ~ ^ $
const AFTER_EQUALS = hashStep(HASH_START, EQUALS);
