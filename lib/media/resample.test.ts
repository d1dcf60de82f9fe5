import { expect, it } from 'vitest';
import { createResampler, type Rates, resample } from './resample.ts';

const LOUD = 20_000;
const WAYS: Rates[] = [8_000, 24_000, 48_000].flatMap((hz) => [
  { fromHz: hz, toHz: 16_000 },
  { fromHz: 16_000, toHz: hz },
]);
const named = WAYS.map((rates) => [`${rates.fromHz} to ${rates.toHz} Hz`, rates] as const);

function tone(hz: number, rateHz: number, seconds = 1): Int16Array {
  return Int16Array.from({ length: rateHz * seconds }, (_, index) =>
    Math.round(LOUD * Math.sin((2 * Math.PI * hz * index) / rateHz)),
  );
}

/** In 20 ms pieces, as a call has it; the beginning, where the low-pass fills, is left out. */
function stream(samples: Int16Array, rates: Rates): Int16Array {
  const resampler = createResampler(rates);
  const frame = rates.fromHz / 50;
  const out: number[] = [];
  for (let at = 0; at < samples.length; at += frame)
    out.push(...resampler.process(samples.subarray(at, at + frame)));
  return Int16Array.from(out);
}

/** How loud `samples` are beside a full tone of the tests, in dB. */
function levelDb(samples: Int16Array): number {
  const settled = samples.subarray(samples.length / 10);
  const energy = settled.reduce((sum, sample) => sum + sample * sample, 0) / settled.length;
  return 10 * Math.log10(Math.max(energy, 1e-6) / (LOUD * LOUD * 0.5));
}

it.each(named)('speech keeps its loudness from %s', (_, rates) => {
  const limit = Math.min(rates.fromHz, rates.toHz) * 0.42;
  for (const hz of [100, 1_000, 2_500, limit])
    expect(Math.abs(levelDb(stream(tone(hz, rates.fromHz), rates)))).toBeLessThan(0.2);
});

it.each(named.filter(([, rates]) => rates.fromHz > rates.toHz))(
  'nothing above the lower band is folded into it from %s',
  (_, rates) => {
    for (const part of [0.56, 0.65, 0.8, 0.95]) {
      const hz = rates.toHz * part;
      if (hz < rates.fromHz / 2) expect(levelDb(stream(tone(hz, rates.fromHz), rates))).toBeLessThan(-70);
    }
  },
);

it.each(named)('20 ms give 20 ms, every time, from %s', (_, rates) => {
  const resampler = createResampler(rates);
  for (let frame = 0; frame < 100; frame += 1)
    expect(resampler.process(new Int16Array(rates.fromHz / 50))).toHaveLength(rates.toHz / 50);
});

it('a stream sounds the same however it is cut', () => {
  const rates = { fromHz: 24_000, toHz: 16_000 };
  const samples = tone(440, 24_000);
  const whole = createResampler(rates).process(samples);
  const resampler = createResampler(rates);
  const pieces: number[] = [];
  for (let at = 0, size = 0; at < samples.length; at += size) {
    size = 1 + ((size * 7 + 13) % 1_999);
    pieces.push(...resampler.process(samples.subarray(at, at + size)));
  }
  expect(Int16Array.from(pieces)).toEqual(whole);
});

it('two streams at once do not hear each other', () => {
  const rates = { fromHz: 8_000, toHz: 16_000 };
  const [one, other] = [createResampler(rates), createResampler(rates)];
  for (let frame = 0; frame < 5; frame += 1) {
    one.process(tone(400, 8_000, 0.02));
    expect(other.process(new Int16Array(160)).every((sample) => sample === 0)).toBe(true);
  }
});

it('a recording keeps its length, and a sound its place', () => {
  for (const rates of WAYS) {
    const samples = new Int16Array(rates.fromHz);
    samples[rates.fromHz / 2] = 30_000;
    const out = resample(samples, rates);
    expect(out).toHaveLength(rates.toHz);
    const loudest = out.reduce((best, sample, at) => (sample > (out[best] ?? 0) ? at : best), 0);
    expect(Math.abs(loudest / rates.toHz - 0.5)).toBeLessThan(0.000_2);
  }
});

it('adds little delay, and says how much', () => {
  for (const rates of WAYS) {
    const { delayMs } = createResampler(rates);
    expect(delayMs).toBeGreaterThan(0);
    expect(delayMs).toBeLessThan(6);
  }
  expect(createResampler({ fromHz: 16_000, toHz: 16_000 }).delayMs).toBe(0);
});

it.each([0, -8_000, 7_999, 96_000, 11_025.5, Number.NaN])('refuses a rate of %d Hz', (rate) => {
  expect(() => createResampler({ fromHz: rate, toHz: 16_000 })).toThrow(RangeError);
  expect(() => createResampler({ fromHz: 16_000, toHz: rate })).toThrow(RangeError);
});
