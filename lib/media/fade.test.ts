import { describe, expect, it } from 'vitest';
import { createSoftEdges, crossFade, FADE_SAMPLES, fadeOut } from './fade.ts';
import { largestStep, tone } from './testing.ts';

/** Loud, and cut where the wave is high. */
const wave = tone(103.3, { hz: 300, db: -10 });
const own = largestStep(wave);

describe('sound that ends in the middle of a wave', () => {
  it('falls to silence without a step of its own', () => {
    const faded = fadeOut(wave.subarray(0, FADE_SAMPLES));
    expect(largestStep(faded)).toBeLessThanOrEqual(own);
    expect(Math.abs(faded.at(-1) ?? 1)).toBeLessThan(10);
  });

  it('has soft edges, whatever its pieces are, and is as long as before', () => {
    for (const size of [1, 100, 128, 129, 500, wave.length]) {
      const edges = createSoftEdges();
      const parts: number[] = [];
      for (let at = 33; at < wave.length; at += size) parts.push(...edges.push(wave.slice(at, at + size)));
      const all = Int16Array.from([0, ...parts, ...edges.end(), 0]);
      expect(all).toHaveLength(wave.length - 33 + 2);
      expect(largestStep(all)).toBeLessThanOrEqual(own * 1.2);
    }
  });

  it('leaves speech that is given in pieces of one array as it was, and copies no more than its first piece', () => {
    const whole = wave.slice();
    const edges = createSoftEdges();
    const given = [0, 400, 800].map((at) => edges.push(whole.subarray(at, at + 400)));
    expect(whole).toEqual(wave);
    expect(given.map(({ length }) => length)).toEqual([400 - FADE_SAMPLES, 400, 400]);
    expect(given.map(({ buffer }) => buffer === whole.buffer)).toEqual([false, true, true]);
    expect(given[2]).toEqual(wave.subarray(800 - FADE_SAMPLES, 1_200 - FADE_SAMPLES));
  });

  it('goes over into what follows where something between was left out', () => {
    const later = tone(50, { hz: 300, db: -10 }).slice(27);
    const before = wave.subarray(0, 200);
    const hard = largestStep(Int16Array.from([...before, ...later]));
    crossFade(later, wave.subarray(200, 200 + FADE_SAMPLES));
    const soft = largestStep(Int16Array.from([...before, ...later]));
    expect(hard).toBeGreaterThan(2 * own);
    expect(soft).toBeLessThanOrEqual(own * 1.2);
  });
});
