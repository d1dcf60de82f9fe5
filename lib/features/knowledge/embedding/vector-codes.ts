import { BIT_HEAD, emptyBits, halfvecBytes } from '../content/binary-forms.ts';

/** A vector as its table keeps it, in PostgreSQL's binary forms. */
export type StoredVector = { embedding: Uint8Array; signBits: Uint8Array; magnitudeBits: Uint8Array };

/**
 * Where a normally distributed value is split into small and large so that the levels ±1 and ±3 are nearest to it
 * (Max, 1960), in standard deviations. A vector that was turned, or comes from a model, is about that.
 */
const MAGNITUDE_BORDER = 0.9957;
/** The same for the 16 levels of a question. */
const QUERY_STEP = 0.3352;
const QUERY_PLANES = 4;

/**
 * A vector of unit length and its code: two bits per dimension stand for -3, -1, 1 and 3. As a sum of ±1 that is 2·a + b:
 * `signBits` holds a, `magnitudeBits` b. Distances of such bits are pgvector's `<~>`, a fiftieth of the work of a cosine.
 */
export function storedVector(vector: Float32Array): StoredVector {
  const border = MAGNITUDE_BORDER * deviation(vector.length);
  const signBits = emptyBits(vector.length);
  const magnitudeBits = emptyBits(vector.length);
  for (let byte = 0; byte < vector.length / 8; byte++) {
    let sign = 0;
    let magnitude = 0;
    // Without branches: what the bits are is chance, and a processor that guesses is wrong half the time.
    for (let index = byte * 8; index < byte * 8 + 8; index++) {
      const value = vector[index] ?? 0;
      const isPositive = Number(value > 0);
      sign = (sign << 1) | isPositive;
      magnitude = (magnitude << 1) | Number(value > border) | (Number(value > -border) & (1 - isPositive));
    }
    signBits[BIT_HEAD + byte] = sign;
    magnitudeBits[BIT_HEAD + byte] = magnitude;
  }
  return { embedding: halfvecBytes(vector), signBits, magnitudeBits };
}

/**
 * A question of unit length in four bits per dimension, as planes of ±1 that weigh 1, 2, 4 and 8. The product of question
 * and code is then a weighted sum of bit distances: the smaller the sum, the greater the product.
 */
export function queryPlanes(vector: Float32Array): string[] {
  const step = QUERY_STEP * deviation(vector.length);
  const highest = 2 ** (QUERY_PLANES - 1) - 1;
  const levels = Array.from(vector, (value) =>
    Math.max(-highest - 1, Math.min(highest, Math.floor(value / step))),
  );
  return Array.from({ length: QUERY_PLANES }, (_, plane) =>
    levels.map((level) => ((level + highest + 1) >> plane) & 1).join(''),
  );
}

/** Of the values of a vector of unit length. */
function deviation(dimensions: number): number {
  return 1 / Math.sqrt(dimensions);
}
