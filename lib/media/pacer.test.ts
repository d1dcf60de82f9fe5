import { describe, expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { createPacer, type PacerClock } from './pacer.ts';

const throwIt = (error: unknown) => {
  throw error;
};

describe('the pacer', () => {
  it('gives each of many streams a frame every 20 ms, spread over the frame', async () => {
    const clock = createTestCallClock();
    const pacer = createPacer({ clock, onFailed: throwIt });
    const dues = Array.from({ length: 8 }, (): number[] => []);
    for (const due of dues) pacer.start((dueMs) => due.push(dueMs));
    await clock.pass(100);
    for (const due of dues) {
      expect(due).toHaveLength(5);
      expect(due.map((dueMs) => dueMs - (due[0] ?? 0))).toEqual([0, 20, 40, 60, 80]);
    }
    expect(dues.map((due) => due[0]).toSorted((one = 0, other = 0) => one - other)).toEqual([
      5, 5, 10, 10, 15, 15, 20, 20,
    ]);
  });

  it('makes up for a delay, so that no frame is lost and none comes later than the one before', async () => {
    const virtual = createTestCallClock();
    let lateMs = 0;
    const clock: PacerClock = {
      nowMs: () => virtual.nowMs() + lateMs,
      sleep: (ms, signal) => virtual.sleep(ms, signal),
    };
    const dues: number[] = [];
    createPacer({ clock, onFailed: throwIt }).start((dueMs) => dues.push(dueMs));
    await virtual.pass(25);
    lateMs = 70;
    await virtual.pass(20);
    expect(dues).toEqual([5, 25, 45, 65, 85, 105]);
  });

  it('makes up for nothing after seconds without a breath', async () => {
    const virtual = createTestCallClock();
    let lateMs = 0;
    const clock: PacerClock = {
      nowMs: () => virtual.nowMs() + lateMs,
      sleep: (ms, signal) => virtual.sleep(ms, signal),
    };
    const dues: number[] = [];
    createPacer({ clock, onFailed: throwIt }).start((dueMs) => dues.push(dueMs));
    await virtual.pass(25);
    lateMs = 10_000;
    await virtual.pass(40);
    expect(dues.length).toBeLessThan(7);
    expect(dues.at(-1)).toBeGreaterThan(10_000);
  });

  it('ends the stream that throws, and no other', async () => {
    const clock = createTestCallClock();
    const failures: unknown[] = [];
    const pacer = createPacer({ clock, onFailed: (error) => failures.push(error) });
    let frames = 0;
    pacer.start(() => {
      throw new Error('the socket is closed');
    });
    pacer.start(() => (frames += 1));
    await clock.pass(100);
    expect(failures).toEqual([new Error('the socket is closed')]);
    expect(frames).toBe(5);
  });

  it('lets all send before anybody listens', async () => {
    const clock = createTestCallClock();
    const pacer = createPacer({ clock, onFailed: throwIt });
    const order: string[] = [];
    // As many of each as there are moments at which streams begin, so that each moment has both.
    for (let index = 0; index < 4; index += 1)
      pacer.start((dueMs) => order.push(`listens ${dueMs}`), 'listens');
    for (let index = 0; index < 4; index += 1) pacer.start((dueMs) => order.push(`sends ${dueMs}`));
    await clock.pass(20);
    expect(order).toEqual([5, 10, 15, 20].flatMap((dueMs) => [`sends ${dueMs}`, `listens ${dueMs}`]));
  });

  it('sleeps while it has no stream, and begins again with the next', async () => {
    const clock = createTestCallClock();
    const pacer = createPacer({ clock, onFailed: throwIt });
    let frames = 0;
    const stop = pacer.start(() => (frames += 1));
    await clock.pass(60);
    stop();
    await clock.pass(1_000);
    expect(frames).toBe(3);
    pacer.start(() => (frames += 1));
    await clock.pass(60);
    expect(frames).toBe(6);
  });
});
