import { isStopWord, termsOf } from './terms.ts';

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
  return vectorOfTerms(termsOf(text));
}

/** The same from the terms of `termsOf`, where they are at hand. */
export function vectorOfTerms(terms: readonly string[]): Float32Array {
  const vector = new Float32Array(DIMENSIONS);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) {
    const weight = (1 + Math.log(count)) * (isStopWord(term) ? STOP_WORD_WEIGHT : 1);
    const features = featuresOf(term);
    for (let position = 0; position < features.indexes.length; position++) {
      const index = features.indexes[position] ?? 0;
      vector[index] = (vector[index] ?? 0) + weight * (features.weights[position] ?? 0);
    }
  }
  rotate(vector);
  return normalise(vector);
}

type Features = { indexes: Int32Array; weights: Float32Array };
const CACHED_TERMS = 20_000;
const featureCache = new Map<string, Features>();

function featuresOf(term: string): Features {
  const known = featureCache.get(term);
  if (known) return known;
  const trigrams = trigramsOf(term);
  const each = TRIGRAMS_WEIGHT / Math.sqrt(Math.max(1, trigrams.length));
  const hashes = [hash32(`=${term}`), ...trigrams.map((trigram) => hash32(`~${trigram}`))];
  const features = {
    indexes: Int32Array.from(hashes, (hash) => hash % DIMENSIONS),
    weights: Float32Array.from(
      hashes,
      (hash, position) => (hash & 0x8000_0000 ? -1 : 1) * (position === 0 ? TERM_WEIGHT : each),
    ),
  };
  if (featureCache.size >= CACHED_TERMS) featureCache.clear();
  featureCache.set(term, features);
  return features;
}

function trigramsOf(term: string): string[] {
  if (term.length < 4) return [];
  const padded = `^${term}$`;
  return Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3));
}

/** FNV-1a with a final mix (murmur3's), unsigned. */
function hash32(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2_ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
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
  for (const value of vector) sum += value * value;
  if (sum === 0) return vector.fill(1 / Math.sqrt(DIMENSIONS));
  const scale = 1 / Math.sqrt(sum);
  for (let index = 0; index < DIMENSIONS; index++) vector[index] = (vector[index] ?? 0) * scale;
  return vector;
}
