import { describe, expect, it } from 'vitest';
import { applyGain, rampGain } from './gain.ts';
import { createLoudnessMeter } from './loudness.ts';

const sine = (options: { hz: number; ms: number; dbfs: number }) =>
  Int16Array.from({ length: options.ms * 16 }, (_, index) =>
    Math.round(32_768 * 10 ** (options.dbfs / 20) * Math.sin((2 * Math.PI * options.hz * index) / 16_000)),
  );
const silence = (ms: number) => new Int16Array(ms * 16);
const measure = (...parts: Int16Array[]) => {
  const meter = createLoudnessMeter();
  for (const part of parts) meter.add(part);
  return meter.integrated();
};

describe('the loudness meter', () => {
  it.each([
    // BS.1770: a sine of 997 Hz at full scale in one channel has -3.01 LUFS.
    [997, -20, -23.01],
    [997, -40, -43.01],
    // By libebur128 at 16 kHz.
    [60, -6.02, -12.54],
    [100, -6.02, -10.77],
    [500, -6.02, -9.6],
    [3_000, -6.02, -5.77],
    [6_000, -6.02, -5.59],
  ])('hears a tone of %i Hz at %d dBFS as %d LUFS', (hz, dbfs, lufs) => {
    expect(measure(sine({ hz, ms: 5_000, dbfs }))).toBeCloseTo(lufs, 1);
  });

  it('leaves out pauses and what is much softer than the rest', () => {
    const speech = sine({ hz: 997, ms: 4_000, dbfs: -20 });
    const murmur = sine({ hz: 997, ms: 4_000, dbfs: -45 });
    expect(measure(speech, silence(6_000), murmur)).toBeCloseTo(-23.2, 0);
  });

  it('says nothing of silence, and something of a short word', () => {
    expect(measure(silence(2_000))).toBeUndefined();
    expect(measure()).toBeUndefined();
    expect(measure(sine({ hz: 997, ms: 200, dbfs: -20 }))).toBeCloseTo(-23, 0);
  });

  it('does not mind in which pieces the sound comes', () => {
    const sound = sine({ hz: 700, ms: 2_000, dbfs: -18 });
    const pieces = Array.from({ length: 101 }, (_, index) => sound.subarray(index * 317, (index + 1) * 317));
    expect(measure(...pieces)).toBe(measure(sound));
  });
});

describe('a gain', () => {
  it('makes all samples louder by the same measure', () => {
    expect(applyGain(Int16Array.of(0, 100, -1_000), 6.0206)).toEqual(Int16Array.of(0, 200, -2_000));
  });

  it('bends peaks instead of cutting them, and never exceeds full scale', () => {
    const loud = applyGain(Int16Array.of(20_000, 25_000, 32_767, -32_768), 3);
    expect(Math.max(...loud)).toBeLessThanOrEqual(32_767);
    expect(Math.min(...loud)).toBeGreaterThanOrEqual(-32_768);
    expect(loud[1]).toBeGreaterThan(loud[0] ?? 0);
  });

  it('goes from one gain to another without a step', () => {
    const ramp = rampGain(new Int16Array(1_000).fill(1_000), { fromDb: 0, toDb: 6.0206, rampSamples: 500 });
    expect(ramp[0]).toBe(1_000);
    expect(ramp[999]).toBe(2_000);
    for (let index = 1; index < ramp.length; index += 1)
      expect(Math.abs((ramp[index] ?? 0) - (ramp[index - 1] ?? 0))).toBeLessThanOrEqual(3);
  });
});
