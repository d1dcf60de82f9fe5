import { hash32, hashOfFour } from './hash.ts';

export const LEXICAL_DIMENSIONS = 3072;

/**
 * Writes where a term stands in a hashed vector: the feature of the term itself, then those of its trigrams, from `at` on.
 * Answers where they end. A feature is twice its dimension, and one more where it is subtracted.
 */
export function writeFeatures(term: string, into: Uint16Array, at: number): number {
  into[at] = featureOf(hash32(`=${term}`));
  if (term.length < 4) return at + 1;
  for (let index = 0; index < term.length; index++)
    into[at + 1 + index] = featureOf(trigramHash(term, index));
  return at + 1 + term.length;
}

function featureOf(hash: number): number {
  return (hash % LEXICAL_DIMENSIONS) * 2 + (hash >>> 31);
}

const [MARK, START, END] = [0x7e, 0x5e, 0x24]; // ~ ^ $

/** Of the three units around `index`, with marks for the start and the end of the term. */
function trigramHash(term: string, index: number): number {
  const before = index === 0 ? START : term.charCodeAt(index - 1);
  const after = index === term.length - 1 ? END : term.charCodeAt(index + 1);
  return hashOfFour(MARK, before, term.charCodeAt(index), after);
}
