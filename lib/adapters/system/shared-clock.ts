import type { Clock } from '#lib/ports/clock.ts';
import { monotonicClock, systemClock } from './clock.ts';

const ASK_EVERY_MS = 2_000;

/**
 * The database's time, for all processes of an installation: leases and the pace of carriers compare moments that
 * different processes wrote. Between two answers it runs with the monotonic clock, so a machine whose time is wrong, or is
 * set, changes nothing (docs/decisions/0251).
 */
export async function startSharedClock(
  askTimeMs: () => Promise<number>,
  { monotonic = monotonicClock, everyMs = ASK_EVERY_MS } = {},
): Promise<Clock> {
  let offsetMs = 0;

  async function ask(): Promise<void> {
    const askedAt = monotonic.nowMs();
    const timeMs = await askTimeMs();
    // It was read on the way, half of which is behind it.
    offsetMs = timeMs - (askedAt + monotonic.nowMs()) / 2;
  }

  await ask();
  let isAsking = false;
  const timer = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    // Without an answer it runs on; the database is asked again.
    ask()
      .catch(() => undefined)
      .finally(() => (isAsking = false));
  }, everyMs);
  timer.unref();
  return { now: () => new Date(offsetMs + monotonic.nowMs()), sleep: systemClock.sleep };
}
