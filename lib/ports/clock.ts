/** Wall-clock time. Injected everywhere so that a test never reads the real clock. */
export type Clock = {
  now(): Date;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

/**
 * Time inside one call, in milliseconds since the leg was created. A simulated call may run faster than
 * real time (`SIMULATION_SPEED`); a real one runs on the wall clock.
 */
export type CallClock = {
  nowMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Awaits real work (a database write, a language model). On a clock that runs as fast as possible,
   * call time stands still until the work is done, so no silence timer fires meanwhile.
   */
  during<T>(work: Promise<T>): Promise<T>;
};
