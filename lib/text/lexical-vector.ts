import { LEXICAL_DIMENSIONS as DIMENSIONS } from './features.ts';
import { type CountedTerms, countTerms } from './counted-terms.ts';

/** Changes whenever the numbers below change: vectors of different models are never compared. */
export const LEXICAL_MODEL = 'local-lexical-2';
const BLOCK = 1024;

const TERM_WEIGHT = 1;
/** All trigrams of a word together weigh this much: they bring word forms, compounds and typing errors near. */
const TRIGRAMS_WEIGHT = 0.6;
const STOP_WORD_WEIGHT = 0.1;

/**
 * A lexical embedding that needs no model and no key: hashed terms and character trigrams, weighted without
 * knowledge of other documents, of unit length. It finds the same words, their forms and their misspellings; it does
 * not know that "dentist" and "tooth doctor" are alike.
 *
 * The hashed vector is turned by a fixed orthogonal matrix (Hadamard blocks), which leaves every cosine as it was but
 * spreads each feature over 1,024 dimensions: without that, the code of a short question says almost nothing.
 */
export function lexicalVector(text: string): Float32Array {
  return vectorOfTerms(countTerms(text)).slice();
}

const vector = new Float32Array(DIMENSIONS);

/** The same from terms that were just counted; holds until the next vector is made. */
export function vectorOfTerms(counted: CountedTerms): Float32Array {
  vector.fill(0);
  for (const { numbers, terms } of counted) for (const number of numbers) addTerm(number, terms);
  hadamardBlocks();
  return normalise();
}

function addTerm(number: number, terms: CountedTerms[number]['terms']): void {
  const from = terms.firstFeature[number] ?? 0;
  const to = terms.firstFeature[number + 1] ?? 0;
  const count = terms.count[number] ?? 1;
  const weight =
    (count === 1 ? 1 : 1 + Math.log(count)) * (terms.isStopWord[number] === 1 ? STOP_WORD_WEIGHT : 1);
  addTo(terms.features[from] ?? 0, weight * TERM_WEIGHT);
  const each = weight * Math.fround(TRIGRAMS_WEIGHT / Math.sqrt(Math.max(1, to - from - 1)));
  for (let at = from + 1; at < to; at++) addTo(terms.features[at] ?? 0, each);
}

/** Without a branch: whether a feature adds or subtracts is chance, and a processor that guesses is wrong half the time. */
function addTo(feature: number, weight: number): void {
  const index = feature >> 1;
  vector[index] = (vector[index] ?? 0) + weight * (1 - 2 * (feature & 1));
}

/** The fast Walsh-Hadamard transform of each block, four values at a time: half the passes over memory of two at a time. */
function hadamardBlocks(): void {
  for (let step = 1; step < BLOCK; step *= 4) {
    for (let group = 0; group < DIMENSIONS; group += 4 * step) {
      for (let at = group; at < group + step; at++) {
        const first = vector[at] ?? 0;
        const second = vector[at + step] ?? 0;
        const third = vector[at + 2 * step] ?? 0;
        const fourth = vector[at + 3 * step] ?? 0;
        vector[at] = first + second + (third + fourth);
        vector[at + step] = first - second + (third - fourth);
        vector[at + 2 * step] = first + second - (third + fourth);
        vector[at + 3 * step] = first - second - (third - fourth);
      }
    }
  }
}

/** A text without a single word gets a fixed vector: pgvector has no cosine for zero. */
function normalise(): Float32Array {
  let sum = 0;
  for (let index = 0; index < DIMENSIONS; index++) sum += (vector[index] ?? 0) ** 2;
  if (sum === 0) return vector.fill(1 / Math.sqrt(DIMENSIONS));
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < DIMENSIONS; index++) vector[index] = (vector[index] ?? 0) * scale;
  return vector;
}
