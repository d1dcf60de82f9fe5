import { Worker } from 'node:worker_threads';

/** Told by the main thread: the time it spent waiting for its caller does not count as work. */
export type Watch = { waiting(isWaiting: boolean): void };

/**
 * Ends this process when it holds more memory or works longer than it may. A thread of its own, because the main one
 * is busy exactly when it matters. The caller reads the reason from file descriptor 4.
 */
export function startWatchdog(limits: { memoryBytes: number; busyMs: number }): Watch {
  // 0: milliseconds waited so far; 1: when the present wait began, or 0.
  const waits = new Float64Array(new SharedArrayBuffer(16));
  const worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { waits, ...limits, parentPid: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  return {
    waiting(isWaiting) {
      const now = Date.now();
      const since = waits[1] ?? 0;
      if (isWaiting && since > 0) return;
      if (!isWaiting && since > 0) waits[0] = (waits[0] ?? 0) + now - since;
      waits[1] = isWaiting ? now : 0;
    },
  };
}
