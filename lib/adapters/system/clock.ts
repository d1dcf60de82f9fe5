import { setTimeout as delay } from 'node:timers/promises';
import type { CallClock, Clock } from '#lib/ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await delay(Math.max(0, ms), undefined, signal ? { signal } : undefined);
  },
};

/** Milliseconds since the process began, for what is paced: setting the machine's time does not move it. */
export const monotonicClock: Pick<CallClock, 'nowMs' | 'sleep'> = {
  nowMs: () => performance.now(),
  sleep: systemClock.sleep,
};
