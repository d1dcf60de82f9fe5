import type { CallClock } from '#lib/ports/clock.ts';

/** RFC 3261, section 17.1.1.1 and table 4: milliseconds. */
export const T1_MS = 500;
export const T2_MS = 4_000;
export const T4_MS = 5_000;
/** How long an unanswered message is repeated: timers B, F, H, and the wait for an ACK. */
export const GIVE_UP_MS = 64 * T1_MS;

export type Timers = {
  /** Calls `action` once after `ms`, unless what is returned is called before. */
  after(ms: number, action: () => void): () => void;
  /** Calls `action` after T1 and then at intervals that double up to `longestMs`, until what is returned is called. */
  repeat(longestMs: number, action: () => void): () => void;
};

/** Timers on a clock that a test may turn. What an action throws goes to `onFailed`. */
export function createTimers(clock: Pick<CallClock, 'sleep'>, onFailed: (error: unknown) => void): Timers {
  function after(ms: number, action: () => void): () => void {
    const stopped = new AbortController();
    clock.sleep(ms, stopped.signal).then(
      () => {
        if (stopped.signal.aborted) return;
        try {
          action();
        } catch (error) {
          onFailed(error);
        }
      },
      () => undefined,
    );
    return () => stopped.abort();
  }

  return {
    after,
    repeat(longestMs, action) {
      let intervalMs = T1_MS;
      let stop = after(intervalMs, again);
      function again(): void {
        action();
        intervalMs = Math.min(intervalMs * 2, longestMs);
        stop = after(intervalMs, again);
      }
      return () => stop();
    },
  };
}
