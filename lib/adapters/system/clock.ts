import type { CallClock, Clock } from '#lib/ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep,
};

/** Milliseconds since the process began, for what is paced: setting the machine's time does not move it. */
export const monotonicClock: Pick<CallClock, 'nowMs' | 'sleep'> = {
  nowMs: () => performance.now(),
  sleep: systemClock.sleep,
};

/** Node's own makes an error with its stack for each timer that is cleared; calls clear several in a second. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      },
      Math.max(0, ms),
    );
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
