import { expect, test } from 'vitest';
import { createFall, loudnessOf } from './level.ts';

const beep = (from: number, length: number) =>
  Float32Array.from({ length: 8_192 }, (_, at) =>
    at >= from && at < from + length ? Math.sin(at / 8) * 0.5 : 0,
  );

test('a short sound anywhere in what was heard is as loud as a long one', () => {
  expect(loudnessOf(beep(0, 8_192))).toBeCloseTo(0.85, 2);
  expect(loudnessOf(beep(2_048, 1_024))).toBeCloseTo(0.85, 2);
  expect(loudnessOf(beep(7_168, 1_024))).toBeCloseTo(0.85, 2);
  expect(loudnessOf(new Float32Array(8_192))).toBe(0);
});

test('a level rises at once and falls slowly', () => {
  const fall = createFall();
  expect(fall(0.8, 10)).toBe(0.8);
  expect(fall(0, 10.25)).toBeCloseTo(0.5);
  expect(fall(0.6, 10.3)).toBe(0.6);
  expect(fall(0, 12)).toBe(0);
});
