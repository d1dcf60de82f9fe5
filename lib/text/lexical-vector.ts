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
  const vector = new Float32Array(DIMENSIONS);
  const counts = new Map<string, number>();
  for (const term of termsOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const [term, count] of counts) {
    const weight = (1 + Math.log(count)) * (isStopWord(term) ? STOP_WORD_WEIGHT : 1);
    for (const feature of featuresOf(term)) {
      const at = feature.index;
      vector[at] = (vector[at] ?? 0) + weight * feature.weight;
    }
  }
  rotate(vector);
  return normalise(vector);
}

type Feature = { index: number; weight: number };
const CACHED_TERMS = 20_000;
const featureCache = new Map<string, Feature[]>();

function featuresOf(term: string): Feature[] {
  const known = featureCache.get(term);
  if (known) return known;
  const features = [featureFor(`=${term}`, TERM_WEIGHT)];
  const trigrams = trigramsOf(term);
  const each = TRIGRAMS_WEIGHT / Math.sqrt(Math.max(1, trigrams.length));
  for (const trigram of trigrams) features.push(featureFor(`~${trigram}`, each));
  if (featureCache.size >= CACHED_TERMS) featureCache.clear();
  featureCache.set(term, features);
  return features;
}

function trigramsOf(term: string): string[] {
  if (term.length < 4) return [];
  const padded = `^${term}$`;
  return Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3));
}

function featureFor(name: string, weight: number): Feature {
  const hash = hash32(name);
  return { index: hash % DIMENSIONS, weight: hash & 0x8000_0000 ? -weight : weight };
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
/** Shares no factor with 3,072, so the walk meets every dimension once, and takes neighbours to different blocks. */
const STRIDE = 1_025;

const shuffled = new Float32Array(DIMENSIONS);

function rotate(vector: Float32Array): void {
  for (let index = 0; index < DIMENSIONS; index++) vector[index] = (vector[index] ?? 0) * (SIGNS[index] ?? 1);
  hadamardBlocks(vector);
  for (let index = 0; index < DIMENSIONS; index++) {
    shuffled[index] = (vector[(index * STRIDE) % DIMENSIONS] ?? 0) * (SIGNS[DIMENSIONS - 1 - index] ?? 1);
  }
  vector.set(shuffled);
  hadamardBlocks(vector);
}

function hadamardBlocks(vector: Float32Array): void {
  for (let start = 0; start < DIMENSIONS; start += BLOCK) {
    for (let half = 1; half < BLOCK; half *= 2) {
      for (let pair = start; pair < start + BLOCK; pair += 2 * half) {
        for (let at = pair; at < pair + half; at++) {
          const left = vector[at] ?? 0;
          const right = vector[at + half] ?? 0;
          vector[at] = left + right;
          vector[at + half] = left - right;
        }
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
