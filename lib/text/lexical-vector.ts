import { hash32, hashOfFour } from './hash.ts';
import { countTerms, type Term } from './terms.ts';

/** Changes whenever the numbers below change: vectors of different models are never compared. */
export const LEXICAL_MODEL = 'local-lexical-1';
export const LEXICAL_DIMENSIONS = 3072;
const DIMENSIONS = LEXICAL_DIMENSIONS;
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
 * The hashed vector is turned by a fixed orthogonal matrix (signs and Hadamard blocks), which leaves every cosine
 * as it was but spreads a short question over all dimensions: without that, its sign bits say almost nothing.
 */
export function lexicalVector(text: string): Float32Array {
  return vectorOfTerms(countTerms(text));
}

/** The same from terms that were just counted. */
export function vectorOfTerms(terms: readonly Term[]): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  for (const term of terms) {
    const features = (term.features ??= featuresOf(term.text));
    const weight = (1 + Math.log(term.count)) * (term.isStopWord ? STOP_WORD_WEIGHT : 1);
    addTo(vector, features[0] ?? 0, weight * TERM_WEIGHT);
    const each = weight * Math.fround(TRIGRAMS_WEIGHT / Math.sqrt(Math.max(1, features.length - 1)));
    for (let index = 1; index < features.length; index++) addTo(vector, features[index] ?? 0, each);
  }
  rotate(vector);
  return normalise(vector);
}

/** A feature is its dimension, from 1, with the sign that it is added by. */
function addTo(vector: Float32Array, feature: number, weight: number): void {
  const index = Math.abs(feature) - 1;
  vector[index] = (vector[index] ?? 0) + (feature > 0 ? weight : -weight);
}

/** The feature of the term itself, then those of its trigrams. */
function featuresOf(term: string): number[] {
  const features = [featureOf(hash32(`=${term}`))];
  if (term.length < 4) return features;
  for (let index = 0; index < term.length; index++) features.push(featureOf(trigramHash(term, index)));
  return features;
}

function featureOf(hash: number): number {
  return (hash & 0x8000_0000 ? -1 : 1) * ((hash % DIMENSIONS) + 1);
}

const [MARK, START, END] = [0x7e, 0x5e, 0x24]; // ~ ^ $

/** Of the three units around `index`, with marks for the start and the end of the term. */
function trigramHash(term: string, index: number): number {
  const before = index === 0 ? START : term.charCodeAt(index - 1);
  const after = index === term.length - 1 ? END : term.charCodeAt(index + 1);
  return hashOfFour(MARK, before, term.charCodeAt(index), after);
}

// Fixed for ever: another order or other signs would be another model.
const SIGNS = Float32Array.from({ length: DIMENSIONS }, (_, index) => (hash32(`sign ${index}`) & 1 ? 1 : -1));
/** A walk that meets every dimension once (1,025 and 3,072 share no factor) and takes neighbours to different blocks. */
const ORDER = Int32Array.from({ length: DIMENSIONS }, (_, index) => (index * 1_025) % DIMENSIONS);

const shuffled = new Float32Array(DIMENSIONS);

function rotate(vector: Float32Array): void {
  for (let index = 0; index < DIMENSIONS; index++) vector[index] = (vector[index] ?? 0) * (SIGNS[index] ?? 1);
  hadamardBlocks(vector);
  for (let index = 0; index < DIMENSIONS; index++) {
    shuffled[index] = (vector[ORDER[index] ?? 0] ?? 0) * (SIGNS[DIMENSIONS - 1 - index] ?? 1);
  }
  vector.set(shuffled);
  hadamardBlocks(vector);
}

/** The fast Walsh-Hadamard transform of each block, four values at a time: half the passes over memory of two at a time. */
function hadamardBlocks(vector: Float32Array): void {
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
function normalise(vector: Float32Array): Float32Array {
  let sum = 0;
  for (let index = 0; index < DIMENSIONS; index++) sum += (vector[index] ?? 0) ** 2;
  if (sum === 0) return vector.fill(1 / Math.sqrt(DIMENSIONS));
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < DIMENSIONS; index++) vector[index] = (vector[index] ?? 0) * scale;
  return vector;
}
