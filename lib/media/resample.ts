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
   * is heard is late by `delayMs`, which the low-pass needs. They lie in `into`, where memory is used again: it has room
   * for as many samples as `samples` last, and one.
   */
  process(samples: Int16Array, into?: Int16Array): Int16Array;
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
  if (fromHz === toHz) return { process: copy, delayMs: 0 };
  const state = speex._speex_resampler_init(1, fromHz, toHz, QUALITY, inputCount);
  const resampler: Resampler = {
    process: (samples, into = new Int16Array(Math.ceil((samples.length * toHz) / fromHz) + 1)) =>
      processAll(state, samples, into),
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

function copy(samples: Int16Array, into = new Int16Array(samples.length)): Int16Array {
  into.set(samples);
  return into.subarray(0, samples.length);
}

function processAll(state: number, samples: Int16Array, out: Int16Array): Int16Array {
  let taken = 0;
  let made = 0;
  while (taken < samples.length) {
    const piece = Math.min(PIECE_SAMPLES, samples.length - taken);
    // The memory may have grown, and its views with it: they are looked up each time.
    copyInto(speex.HEAP16, input / 2, samples, taken, piece);
    speex.HEAPU32[inputCount / 4] = piece;
    speex.HEAPU32[outputCount / 4] = OUTPUT_SAMPLES;
    speex._speex_resampler_process_int(state, 0, input, inputCount, output, outputCount);
    taken += speex.HEAPU32[inputCount / 4] ?? piece;
    const count = speex.HEAPU32[outputCount / 4] ?? 0;
    copyInto(out, made, speex.HEAP16, output / 2, count);
    made += count;
  }
  return out.subarray(0, made);
}

/** A loop, since views of a part would be collected: thousands in a second. */
function copyInto(target: Int16Array, at: number, source: Int16Array, from: number, count: number): void {
  for (let index = 0; index < count; index += 1) target[at + index] = source[from + index] ?? 0;
}
