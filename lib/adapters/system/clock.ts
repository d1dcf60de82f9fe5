import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '#lib/ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : undefined);
  },
};
