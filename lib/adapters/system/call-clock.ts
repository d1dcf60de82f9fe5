import { setTimeout as sleepFor } from 'node:timers/promises';
import type { CallClock } from '#lib/ports/clock.ts';

/** Real time in milliseconds since it was made, which no correction of the machine's clock moves. */
export function createRealCallClock(): CallClock {
  const startedAt = performance.now();
  return {
    nowMs: () => performance.now() - startedAt,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      try {
        await sleepFor(Math.max(0, ms), undefined, signal ? { signal } : {});
      } catch (error) {
        signal?.throwIfAborted();
        throw error;
      }
    },
  };
}
