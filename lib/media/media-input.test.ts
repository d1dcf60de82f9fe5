import { expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';
import { createMediaInput } from './media-input.ts';
import { createPacer } from './pacer.ts';

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
  const heard: { frame: Int16Array; atMs: number }[] = [];
  input.onFrame((frame, atMs) => heard.push({ frame, atMs }));
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
    const found = heard.find(({ frame }) => frame[0] === index + 1);
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

it('keeps that where frames come unevenly', async () => {
  const offsets = await send({ phaseMs: 5, lateBy: (index) => (index * 7) % 17 });
  for (const offMs of offsets) expect(Math.abs(offMs ?? Number.NaN)).toBeLessThanOrEqual(30);
});
