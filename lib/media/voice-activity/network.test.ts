import { expect, it } from 'vitest';
import { createNetwork, WINDOW_SAMPLES } from './network.ts';

/** A sound whose pitch climbs. */
const sweep = Array.from({ length: 6 }, (_, window) =>
  Int16Array.from({ length: WINDOW_SAMPLES }, (__, index) => {
    const n = window * WINDOW_SAMPLES + index;
    return Math.round(9_000 * Math.sin(n * 0.05) + 3_000 * Math.sin(n * n * 0.001));
  }),
);

it('gives what the original gives for the same sound', () => {
  const network = createNetwork();
  const memory = { state: new Float32Array(256), context: new Float32Array(64) };
  const given = sweep.map((window) => network.speechProbability(memory, window));
  // Silero's ONNX file in ONNX Runtime, from the same empty memory.
  const original = [0.022884, 0.568894, 0.479057, 0.534461, 0.517205, 0.868382];
  for (const [index, probability] of original.entries()) expect(given[index]).toBeCloseTo(probability, 4);
});

it('keeps streams apart', () => {
  const network = createNetwork();
  const [alone, beside, other] = [network.createMemory(), network.createMemory(), network.createMemory()];
  const given = sweep.map((window) => network.speechProbability(alone, window));
  const mixed = sweep.map((window) => {
    network.speechProbability(other, sweep[3] ?? window);
    return network.speechProbability(beside, window);
  });
  expect(mixed).toEqual(given);
});
