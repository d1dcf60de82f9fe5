import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { joinSamples } from './samples.ts';

/**
 * From full loudness to nothing: a wave that ends in one sample is heard as a click, one that takes longer to end as speech
 * that goes on (docs/decisions/0282).
 */
export const FADE_MS = 8;
export const FADE_SAMPLES = FADE_MS * SAMPLES_PER_MS;

/** A copy that falls to silence from its first sample to its last. */
export function fadeOut(samples: Int16Array): Int16Array {
  return samples.map((sample, index) => Math.round(sample * (1 - share(index, samples.length))));
}

/** Lets what came before go over into `samples` where something between them was left out. Changes `samples`. */
export function crossFade(samples: Int16Array, before: Int16Array): void {
  const length = Math.min(samples.length, before.length);
  for (let index = 0; index < length; index += 1) {
    const now = share(index, length);
    samples[index] = Math.round((samples[index] ?? 0) * now + (before[index] ?? 0) * (1 - now));
  }
}

/** How much of the new is heard: half a wave, which has no corner at either end. */
function share(index: number, length: number): number {
  return (1 - Math.cos((Math.PI * (index + 1)) / (length + 1))) / 2;
}

export type SoftEdges = {
  /** The next samples, without the last 8 ms: those may be the end. */
  push(samples: Int16Array): Int16Array;
  /** The end, faded. */
  end(): Int16Array;
};

/** Lets sound that may begin or break off in the middle of a wave begin and end softly; its length stays. */
export function createSoftEdges(): SoftEdges {
  let kept: Int16Array = new Int16Array(0);
  let begun = 0;
  return {
    push(samples) {
      const all = inOnePiece(kept, samples);
      const given = Math.max(0, all.length - FADE_SAMPLES);
      kept = all.subarray(given);
      if (begun === FADE_SAMPLES) return all.subarray(0, given);
      const ready = all.slice(0, given);
      for (let index = 0; index < given && begun < FADE_SAMPLES; index += 1) {
        ready[index] = Math.round((ready[index] ?? 0) * share(begun, FADE_SAMPLES));
        begun += 1;
      }
      return ready;
    },
    end() {
      const end = fadeOut(kept);
      kept = new Int16Array(0);
      return end;
    },
  };
}

/** A view where they lie behind each other in memory already, as the pieces of speech that is there as a whole do. */
function inOnePiece(first: Int16Array, second: Int16Array): Int16Array {
  if (first.length === 0) return second;
  const isBehind =
    first.buffer === second.buffer && first.byteOffset + first.byteLength === second.byteOffset;
  return isBehind
    ? new Int16Array(first.buffer, first.byteOffset, first.length + second.length)
    : joinSamples([first, second]);
}
