import { expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';
import { createMediaInput } from './media-input.ts';
import { createPacer } from './pacer.ts';
import { largestStep, tone } from './testing.ts';

/** Lets a far end send a frame each 20 ms, `phaseMs` after the beats of the pacer; gives what was heard of it. */
async function send(options: { phaseMs: number; frames?: number; lateBy?: (index: number) => number }) {
  const { phaseMs, frames = 100, lateBy = () => 0 } = options;
  const clock = createTestCallClock();
  const pacer = createPacer({
    clock,
    onFailed: (error) => {
      throw error;
    },
  });
  const input = createMediaInput({ pacer });
  const heard: { first: number | undefined; atMs: number }[] = [];
  input.onFrame((frame, atMs) => heard.push({ first: frame[0], atMs }));
  await clock.pass(phaseMs);
  const madeAtMs: number[] = [];
  let nextMs = clock.nowMs();
  for (let index = 0; index < frames; index += 1) {
    nextMs += FRAME_MS;
    madeAtMs.push(nextMs - FRAME_MS);
    await clock.pass(Math.max(0, nextMs + lateBy(index) - clock.nowMs()));
    input.push(new Int16Array(FRAME_SAMPLES).fill(index + 1));
  }
  await clock.pass(500);
  input.end();
  return madeAtMs.map((atMs, index) => {
    const found = heard.find(({ first }) => first === index + 1);
    return found ? found.atMs - atMs : undefined;
  });
}

it.each([0, 3, 7, 11, 14, 19])(
  'tells to 15 ms when a frame was spoken, %s ms after a beat of its own',
  async (phaseMs) => {
    for (const offMs of await send({ phaseMs }))
      expect(Math.abs(offMs ?? Number.NaN)).toBeLessThanOrEqual(15);
  },
);

it('drops what waits for too long without a click', async () => {
  const clock = createTestCallClock();
  const pacer = createPacer({
    clock,
    onFailed: (error) => {
      throw error;
    },
  });
  const input = createMediaInput({ pacer });
  const heard: number[] = [];
  input.onFrame((frame) => heard.push(...frame));
  const wave = tone(1_000, { hz: 310, db: -10 });
  input.push(wave.subarray(0, 3 * FRAME_SAMPLES));
  await clock.pass(50);
  // After a stall of the network all of it comes at once.
  input.push(wave.subarray(3 * FRAME_SAMPLES, 20 * FRAME_SAMPLES));
  await clock.pass(100);
  input.end();
  const spoken = Int16Array.from(heard).subarray(heard.findIndex((sample) => sample !== 0));
  const last = spoken.findLastIndex((sample) => sample !== 0);
  expect(last).toBeGreaterThan(3 * FRAME_SAMPLES);
  expect(largestStep(spoken.subarray(0, last))).toBeLessThan(largestStep(wave) * 1.2);
});

it('keeps that where frames come unevenly', async () => {
  const offsets = await send({ phaseMs: 5, lateBy: (index) => (index * 7) % 17 });
  for (const offMs of offsets) expect(Math.abs(offMs ?? Number.NaN)).toBeLessThanOrEqual(30);
});

it('fills the same few frames again and again', async () => {
  const clock = createTestCallClock();
  const pacer = createPacer({
    clock,
    onFailed: (error) => {
      throw error;
    },
  });
  const input = createMediaInput({ pacer });
  const frames = new Set<Int16Array>();
  input.onFrame((frame) => frames.add(frame));
  for (let index = 0; index < 200; index += 1) {
    input.push(new Int16Array(FRAME_SAMPLES).fill(index + 1));
    await clock.pass(FRAME_MS);
  }
  input.end();
  expect(frames.size).toBeLessThan(12);
});
