import { SAMPLES_PER_MS } from '#lib/ports/media.ts';

/** Louder than this is speech: about -44 dBFS. Synthetic silence is digital zero or a faint hiss. */
const AUDIBLE = 200;
/** Kept in front of the first sound: a consonant may begin softly. */
const LEAD_IN_SAMPLES = 30 * SAMPLES_PER_MS;

export type LeadingSilence = {
  /** Gives what is left of the next samples of one text. */
  trim(samples: Int16Array): Int16Array;
  /** Milliseconds that were cut off until now. */
  cutMs(): number;
};

/**
 * Cuts the silence with which a synthesizer begins a text: Flite's voices are silent for 150 to 290 ms, and each
 * answer would begin that much later.
 */
export function createLeadingSilence(): LeadingSilence {
  let hasBegun = false;
  let cut = 0;
  /** The end of the silence until now, in case the next piece begins with a sound. */
  let leadIn = new Int16Array(0);

  return {
    cutMs: () => cut / SAMPLES_PER_MS,
    trim(samples) {
      if (hasBegun) return samples;
      const both = join(leadIn, samples);
      const first = both.findIndex(isAudible);
      hasBegun = first !== -1;
      const from = Math.max(0, (hasBegun ? first : both.length) - LEAD_IN_SAMPLES);
      cut += from;
      if (hasBegun) return both.subarray(from);
      leadIn = both.slice(from);
      return new Int16Array(0);
    },
  };
}

/** Samples of silence at the end of `samples`. */
export function trailingSilence(samples: Int16Array): number {
  let at = samples.length - 1;
  while (at >= 0 && !isAudible(samples[at] ?? 0)) at -= 1;
  return samples.length - 1 - at;
}

function isAudible(sample: number): boolean {
  return sample > AUDIBLE || sample < -AUDIBLE;
}

function join(first: Int16Array, second: Int16Array): Int16Array {
  if (first.length === 0) return second;
  const both = new Int16Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
