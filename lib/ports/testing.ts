import type { Clock } from './clock.ts';
import type { Ids } from './ids.ts';

/** A clock that stands still until `advance`; sleepers wake in order of their time. */
export function manualClock(
  start = new Date('2026-03-02T09:00:00.000Z'),
): Clock & { advance(ms: number): Promise<void> } {
  let nowMs = start.getTime();
  const sleepers: { atMs: number; wake: () => void }[] = [];
  return {
    now: () => new Date(nowMs),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const sleeper = { atMs: nowMs + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      }),
    async advance(ms) {
      const target = nowMs + ms;
      for (;;) {
        sleepers.sort((a, b) => a.atMs - b.atMs);
        const first = sleepers[0];
        if (!first || first.atMs > target) break;
        sleepers.shift();
        nowMs = Math.max(nowMs, first.atMs);
        first.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      nowMs = target;
    },
  };
}

/** Ids that count up, for readable failures. */
export function countingIds(): Ids {
  let count = 0;
  return {
    next: (prefix) => `${prefix}_${String(++count).padStart(4, '0')}`,
    secret: (size) => `secret${++count}`.padEnd(size, 'x'),
  };
}
