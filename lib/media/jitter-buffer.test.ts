import { describe, expect, it } from 'vitest';
import { createJitterBuffer } from './jitter-buffer.ts';
import { largestStep } from './testing.ts';

const FRAME = 160;
/** 20 ms of one value, so that it is seen which packet is played. */
const packet = (index: number, samples = FRAME) => ({
  timestamp: (index * FRAME) >>> 0,
  samples: new Int16Array(samples).fill(index + 1),
});
/** The value in the middle of each frame that is given out. */
const take = (buffer: ReturnType<typeof createJitterBuffer>, count: number) =>
  Array.from({ length: count }, () => buffer.take()?.[FRAME / 2]);

describe('the jitter buffer', () => {
  it('gives packets in their order, however they came, and each once', () => {
    const buffer = createJitterBuffer();
    expect(buffer.take()).toBeUndefined();
    for (const index of [0, 2, 1, 1, 3, 5, 4]) buffer.put(packet(index));
    expect(take(buffer, 8)).toEqual([0, 0, 1, 2, 3, 4, 5, 6]);
  });

  it('gives 20 ms of whatever size of packet, and goes on past the end of the timestamps', () => {
    const buffer = createJitterBuffer();
    const first = 2 ** 32 - 3 * 80;
    for (let index = 0; index < 10; index += 1)
      buffer.put({ timestamp: (first + index * 80) >>> 0, samples: new Int16Array(80).fill(index + 1) });
    const frames = Array.from({ length: 7 }, () => buffer.take());
    expect(frames.every((frame) => frame?.length === FRAME)).toBe(true);
    expect(frames.slice(2).map((frame) => [frame?.[70], frame?.[FRAME - 1]])).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
      [9, 10],
    ]);
  });

  it('fills what was lost with the voice that was there, and not with a click or with silence', () => {
    const buffer = createJitterBuffer();
    const voice = (index: number) => ({
      timestamp: index * FRAME,
      samples: Int16Array.from({ length: FRAME }, (_, at) =>
        Math.round(8_000 * Math.sin((2 * Math.PI * 150 * (index * FRAME + at)) / 8_000)),
      ),
    });
    for (const index of [0, 1, 2, 3, 5, 6]) buffer.put(voice(index));
    const heard = Array.from({ length: 9 }, () => buffer.take()).flatMap((frame) => [...(frame ?? [])]);
    const steps = heard.slice(1).map((sample, index) => Math.abs(sample - (heard[index] ?? 0)));
    // The tone itself moves by 940 from one sample to the next.
    expect(Math.max(...steps.slice(3 * FRAME))).toBeLessThan(1_900);
    const lost = heard.slice(6 * FRAME, 7 * FRAME);
    const level = Math.sqrt(lost.reduce((sum, sample) => sum + sample * sample, 0) / FRAME);
    expect(level).toBeGreaterThan(3_000);
    expect(level).toBeLessThan(6_000);
  });

  it('falls silent when nothing comes for longer', () => {
    const buffer = createJitterBuffer();
    for (let index = 0; index < 4; index += 1)
      buffer.put({ timestamp: index * FRAME, samples: new Int16Array(FRAME).fill(5_000) });
    const frames = Array.from({ length: 12 }, () => buffer.take());
    expect(frames[6]?.some((sample) => sample > 1_000)).toBe(true);
    expect(frames[10]?.every((sample) => sample === 0)).toBe(true);
  });

  it('waits longer once packets were late, and then loses none of them', () => {
    const buffer = createJitterBuffer();
    const given: (number | undefined)[] = [];
    // Every fifth packet comes 100 ms after its time.
    const due = new Map<number, number[]>();
    for (let index = 0; index < 200; index += 1) {
      const at = index + (index % 5 === 4 ? 5 : 0);
      due.set(at, [...(due.get(at) ?? []), index]);
    }
    for (let tick = 0; tick < 200; tick += 1) {
      for (const index of due.get(tick) ?? []) buffer.put(packet(index));
      given.push(...take(buffer, 1));
    }
    const settled = given.slice(60).filter((value) => value !== undefined);
    expect(settled.slice(1).every((value, index) => value === (settled[index] ?? 0) + 1)).toBe(true);
  });

  it('takes back the wait when it is not needed any more', () => {
    const buffer = createJitterBuffer();
    for (let index = 0; index < 15; index += 1) buffer.put(packet(index));
    expect(buffer.delayMs()).toBeGreaterThan(300);
    for (let index = 15; index < 3_000; index += 1) {
      buffer.put(packet(index));
      buffer.take();
    }
    expect(buffer.delayMs()).toBeLessThanOrEqual(80);
  });

  it('leaves out a frame without a click', () => {
    const buffer = createJitterBuffer();
    // 310 Hz: a frame of it is no whole number of waves.
    const wave = (index: number) =>
      Int16Array.from({ length: FRAME }, (_, at) =>
        Math.round(9_000 * Math.sin(((index * FRAME + at) * 310 * 2 * Math.PI) / 8_000)),
      );
    const put = (index: number) => buffer.put({ timestamp: index * FRAME, samples: wave(index) });
    for (let index = 0; index < 8; index += 1) put(index);
    const given: number[] = [];
    const before = buffer.delayMs();
    for (let index = 8; index < 700; index += 1) {
      put(index);
      given.push(...(buffer.take() ?? []));
    }
    expect(before - buffer.delayMs()).toBeGreaterThan(20);
    const settled = Int16Array.from(given.slice(10 * FRAME));
    expect(largestStep(settled)).toBeLessThan(largestStep(wave(1)) * 1.2);
  });

  it('follows a sender that begins anew, was stalled, or has another clock', () => {
    const buffer = createJitterBuffer();
    for (let index = 0; index < 5; index += 1) buffer.put(packet(index));
    take(buffer, 5);
    buffer.put({ timestamp: 3_000_000_000, samples: new Int16Array(FRAME).fill(77) });
    expect(take(buffer, 3).at(-1)).toBe(77);

    const stalled = createJitterBuffer();
    for (let index = 0; index < 5; index += 1) stalled.put(packet(index));
    take(stalled, 45);
    const given: (number | undefined)[] = [];
    for (let index = 5; index < 25; index += 1) {
      stalled.put(packet(index));
      given.push(...take(stalled, 1));
    }
    expect(given.slice(-10)).toEqual([13, 14, 15, 16, 17, 18, 19, 20, 21, 22].map((value) => value + 1));
  });
});
