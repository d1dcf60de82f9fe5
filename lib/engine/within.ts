import type { Clock } from '#lib/ports/clock.ts';
import { CLEARED } from './timers.ts';

/**
 * What `work` comes to, or `late` when it takes longer than `ms`: a part that hangs at the end of a call
 * must not hold up the others. What it does afterwards is nobody's any more, its failure included.
 */
export async function within<T>(
  work: Promise<T>,
  ms: number,
  clock: Pick<Clock, 'sleep'>,
): Promise<T | 'late'> {
  const timer = new AbortController();
  work.catch(() => undefined);
  const late = clock.sleep(ms, timer.signal).then(
    () => 'late' as const,
    () => 'late' as const,
  );
  try {
    return await Promise.race([work, late]);
  } finally {
    timer.abort(CLEARED);
  }
}
