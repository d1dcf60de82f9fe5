import { Worker } from 'node:worker_threads';

/** Shared with the watchdog: whether the process waits for its caller, and why it was stopped. */
export type Watch = { waiting(isWaiting: boolean): void };

/**
 * Ends this process when it holds more memory or works longer than it may. A thread of its own, because the main one
 * is busy exactly when it matters; time spent waiting for the caller does not count. The exit code tells the reason.
 */
export function startWatchdog(limits: { memoryBytes: number; busyMs: number }): Watch {
  const shared = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL('./watchdog-thread.ts', import.meta.url), {
    workerData: { shared, ...limits, parentPid: process.ppid },
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  worker.unref();
  return { waiting: (isWaiting) => void Atomics.store(shared, 0, isWaiting ? 1 : 0) };
}
