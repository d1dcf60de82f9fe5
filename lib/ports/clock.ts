/** Wall-clock time. Injected everywhere so that a test never reads the real clock. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Time inside one call, in milliseconds since the leg was created. On a real carrier it runs with the wall clock; a
 * simulated one may run faster.
 */
export type CallClock = {
  nowMs(): number;
  /** Like a `Clock`'s. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};
