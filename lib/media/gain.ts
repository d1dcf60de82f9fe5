/** From this level on (-3 dBFS) peaks are bent instead of cut. */
const KNEE = 0.7;
const FULL_SCALE = 32_768;

/** Makes samples louder or softer; peaks that would not fit are bent into what does. Gives a copy. */
export function applyGain(samples: Int16Array, gainDb: number): Int16Array<ArrayBuffer> {
  return rampGain(samples, { fromDb: gainDb, toDb: gainDb, rampSamples: 0 });
}

/** The same, going from one gain to another over the first `rampSamples`: a step would be heard as a click. */
export function rampGain(
  samples: Int16Array,
  { fromDb, toDb, rampSamples }: { fromDb: number; toDb: number; rampSamples: number },
): Int16Array<ArrayBuffer> {
  const from = 10 ** (fromDb / 20);
  const to = 10 ** (toDb / 20);
  const louder = new Int16Array(samples.length);
  for (let index = 0; index < samples.length; index += 1) {
    const gain = index < rampSamples ? from + ((to - from) * index) / rampSamples : to;
    louder[index] = Math.round(limit(((samples[index] ?? 0) / FULL_SCALE) * gain) * (FULL_SCALE - 1));
  }
  return louder;
}

/** Nothing below the knee is changed; above it, ever less is added, and full scale is never reached. */
function limit(level: number): number {
  const size = Math.abs(level);
  if (size <= KNEE) return level;
  return Math.sign(level) * (KNEE + (1 - KNEE) * Math.tanh((size - KNEE) / (1 - KNEE)));
}
