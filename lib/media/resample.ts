import openSpeex from '@echogarden/speex-resampler-wasm/simd';

const speex = await openSpeex();

/** Of 0 to 10: flat to 0.42 of the lower rate, aliases below −90 dB, 5 µs for 20 ms (docs/decisions/0164). */
const QUALITY = 5;
/** Samples that go through in one go; longer ones take several. */
const PIECE_SAMPLES = 4_096;
const LOWEST_HZ = 8_000;
const HIGHEST_HZ = 48_000;

/** Shared by all streams: what is in them is taken out before another one can come. */
const input = speex._malloc(PIECE_SAMPLES * 2);
const OUTPUT_SAMPLES = (PIECE_SAMPLES + 1) * (HIGHEST_HZ / LOWEST_HZ);
const output = speex._malloc(OUTPUT_SAMPLES * 2);
const inputCount = speex._malloc(4);
const outputCount = speex._malloc(4);

/** A stream's state lives outside of JavaScript's memory: it goes when nobody holds the stream any more. */
const states = new FinalizationRegistry<number>((state) => speex._speex_resampler_destroy(state));

export type Rates = { fromHz: number; toHz: number };

export type Resampler = {
  /**
   * The next samples at the other rate. A stream may come in pieces of any length; a piece of 20 ms gives 20 ms. What
   * is heard is late by `delayMs`, which the low-pass needs.
   */
  process(samples: Int16Array): Int16Array;
  readonly delayMs: number;
};

/**
 * Changes the rate of a mono stream of signed 16-bit samples, low-pass included: telephones have 8 kHz, models 24,
 * browsers 48, and all between them runs at 16 kHz. Throws a RangeError for rates outside of 8 to 48 kHz.
 */
export function createResampler({ fromHz, toHz }: Rates): Resampler {
  for (const rate of [fromHz, toHz])
    if (!Number.isInteger(rate) || rate < LOWEST_HZ || rate > HIGHEST_HZ)
      throw new RangeError(`A rate is a whole number of Hz from ${LOWEST_HZ} to ${HIGHEST_HZ}, not ${rate}`);
  if (fromHz === toHz) return { process: (samples) => samples.slice(), delayMs: 0 };
  const state = speex._speex_resampler_init(1, fromHz, toHz, QUALITY, inputCount);
  const resampler: Resampler = {
    process: (samples) => processAll(state, samples, toHz / fromHz),
    delayMs: (speex._speex_resampler_get_output_latency(state) / toHz) * 1_000,
  };
  states.register(resampler, state);
  return resampler;
}

/** A whole recording at another rate, without the delay of a stream: a sound stays where it was. */
export function resample(samples: Int16Array, rates: Rates): Int16Array {
  const resampler = createResampler(rates);
  const length = Math.floor((samples.length * rates.toHz) / rates.fromHz);
  const delay = Math.round((resampler.delayMs * rates.toHz) / 1_000);
  const flushed = new Int16Array(samples.length + Math.ceil(((delay + 1) * rates.fromHz) / rates.toHz));
  flushed.set(samples);
  return resampler.process(flushed).slice(delay, delay + length);
}

function processAll(state: number, samples: Int16Array, ratio: number): Int16Array {
  const out = new Int16Array(Math.ceil(samples.length * ratio) + 1);
  let taken = 0;
  let made = 0;
  while (taken < samples.length) {
    const piece = samples.subarray(taken, taken + PIECE_SAMPLES);
    // The memory may have grown, and its views with it: they are looked up each time.
    speex.HEAP16.set(piece, input / 2);
    speex.HEAPU32[inputCount / 4] = piece.length;
    speex.HEAPU32[outputCount / 4] = OUTPUT_SAMPLES;
    speex._speex_resampler_process_int(state, 0, input, inputCount, output, outputCount);
    taken += speex.HEAPU32[inputCount / 4] ?? piece.length;
    const count = speex.HEAPU32[outputCount / 4] ?? 0;
    out.set(speex.HEAP16.subarray(output / 2, output / 2 + count), made);
    made += count;
  }
  return out.subarray(0, made);
}
