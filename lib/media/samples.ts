import type { SpeechChunk } from '#lib/ports/speech.ts';

/** All samples in one piece; where there is only one, that one itself. */
export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  const joined = new Int16Array(parts.reduce((total, part) => total + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** So much is taken at a time: memory of its own for each piece of 20 ms costs more than all that is done with it. */
const GATHERED_AT_A_TIME = 16_000;

/** Keeps copies of samples that are lent. */
export type GatheredSamples = {
  add(samples: Int16Array): void;
  /** All of them, in one piece. */
  all(): Int16Array;
  /** Forgets them; the memory of the first second stays for what is added next. */
  clear(): void;
};

export function createGatheredSamples(): GatheredSamples {
  const pieces: Int16Array[] = [];
  let count = 0;
  return {
    add(samples) {
      for (let from = 0; from < samples.length;) {
        const at = count % GATHERED_AT_A_TIME;
        const piece = (pieces[(count - at) / GATHERED_AT_A_TIME] ??= new Int16Array(GATHERED_AT_A_TIME));
        const part = samples.subarray(from, from + GATHERED_AT_A_TIME - at);
        piece.set(part, at);
        from += part.length;
        count += part.length;
      }
    },
    all() {
      const whole = new Int16Array(count);
      for (const [index, piece] of pieces.entries()) {
        const at = index * GATHERED_AT_A_TIME;
        whole.set(piece.subarray(0, count - at), at);
      }
      return whole;
    },
    clear() {
      pieces.length = Math.min(1, pieces.length);
      count = 0;
    },
  };
}

/** Speech as a whole, once the last of it is made. */
export async function collectSpeech(chunks: AsyncIterable<SpeechChunk>): Promise<Int16Array> {
  const parts: Int16Array[] = [];
  for await (const { samples } of chunks) parts.push(samples);
  return joinSamples(parts);
}
