import type { CallClock, Clock } from '#lib/ports/clock.ts';

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) => sleep(ms, signal),
};

/** For what is only tidied up: it keeps no process alive. */
export const backgroundClock: Pick<Clock, 'sleep'> = {
  sleep: (ms, signal) => sleep(ms, signal, { keepsAlive: false }),
};

/** Milliseconds since the process began, for what is paced: setting the machine's time does not move it. */
export const monotonicClock: Pick<CallClock, 'nowMs' | 'sleep'> = {
  nowMs: () => performance.now(),
  sleep: systemClock.sleep,
};

/** Node's own makes an error with its stack for each timer that is cleared; calls clear several in a second. */
function sleep(ms: number, signal?: AbortSignal, { keepsAlive = true } = {}): Promise<void> {
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
    if (!keepsAlive) timer.unref();
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
