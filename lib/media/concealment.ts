/** Fills what was lost of a telephone's sound (8 kHz), so that a lost packet is not heard as a click. */
export type Concealment = {
  /** Sound that arrived. It is changed where it follows what was made up, so that the seam is not heard. */
  good(samples: Int16Array): void;
  /** Fills `into` with what is made up. */
  lost(into: Int16Array): void;
};

/** Voices are between 66 and 400 Hz: periods of 20 to 120 samples. */
const SHORTEST_PERIOD = 20;
const LONGEST_PERIOD = 120;
const HISTORY = 3 * LONGEST_PERIOD;
/** The repeated period stays as loud for 10 ms and is gone after 60: nobody says the same for longer. */
const FULL_SAMPLES = 80;
const FADED_SAMPLES = 480;
/** Where real sound takes over from what was made up: 4 ms. */
const SEAM = 32;

/** Repeats the last period of the voice, fading, in the manner of ITU-T G.711 Appendix I. */
export function createConcealment(): Concealment {
  const history = new Int16Array(HISTORY);
  /** The period that is repeated; undefined while sound arrives. */
  let period: Int16Array | undefined;
  let madeUp = 0;

  function remember(samples: Int16Array): void {
    if (samples.length >= HISTORY) {
      history.set(samples.subarray(samples.length - HISTORY));
      return;
    }
    history.copyWithin(0, samples.length);
    history.set(samples, HISTORY - samples.length);
  }

  function next(): number {
    if (!period || madeUp >= FADED_SAMPLES) return 0;
    const sample = period[madeUp % period.length] ?? 0;
    const fading = Math.max(0, madeUp - FULL_SAMPLES) / (FADED_SAMPLES - FULL_SAMPLES);
    madeUp += 1;
    return Math.round(sample * (1 - fading));
  }

  return {
    good(samples) {
      if (period) {
        const seam = Math.min(SEAM, samples.length);
        for (let index = 0; index < seam; index += 1) {
          const share = (index + 1) / (seam + 1);
          samples[index] = Math.round((samples[index] ?? 0) * share + next() * (1 - share));
        }
        period = undefined;
      }
      remember(samples);
    },
    lost(into) {
      if (!period) {
        period = history.slice(HISTORY - findPeriod(history));
        madeUp = 0;
      }
      for (let index = 0; index < into.length; index += 1) into[index] = next();
    },
  };
}

/** The shift at which the end of `samples` is most like itself. */
function findPeriod(samples: Int16Array): number {
  const window = LONGEST_PERIOD;
  let best = { period: LONGEST_PERIOD, likeness: 0 };
  for (let period = SHORTEST_PERIOD; period <= LONGEST_PERIOD; period += 1) {
    let product = 0;
    let energy = 1;
    // Every second sample is enough for voices, and half the work.
    for (let back = 1; back <= window; back += 2) {
      const now = samples[samples.length - back] ?? 0;
      const before = samples[samples.length - back - period] ?? 0;
      product += now * before;
      energy += before * before;
    }
    const likeness = product <= 0 ? 0 : (product * product) / energy;
    if (likeness > best.likeness) best = { period, likeness };
  }
  return best.period;
}
