/** Does writes in the order in which they were posted, one at a time, behind whoever posts them. */
export type OrderedWriter = {
  /** Never waits and never throws. After a write failed, or too many waited, nothing more is taken. */
  post(write: () => Promise<unknown>): void;
  /** Resolves when all that was posted until now is written; rejects with the first failure. */
  flush(): Promise<void>;
  /** Aborts with the first failure as its reason. */
  readonly failed: AbortSignal;
};

/**
 * `maxWaiting`: so many posts may wait to be written. One more is not taken and counts as a failure; those that wait are
 * written all the same.
 */
export function createOrderedWriter({ maxWaiting }: { maxWaiting: number }): OrderedWriter {
  const failing = new AbortController();
  let waiting = 0;
  let isBroken = false;
  let last: Promise<void> = Promise.resolve();

  async function run(write: () => Promise<unknown>): Promise<void> {
    try {
      if (!isBroken) await write();
    } catch (error) {
      isBroken = true;
      failing.abort(error);
    } finally {
      waiting -= 1;
    }
  }

  return {
    failed: failing.signal,
    post(write) {
      if (waiting >= maxWaiting) failing.abort(new Error(`${maxWaiting} writes wait to be stored`));
      if (failing.signal.aborted) return;
      waiting += 1;
      last = last.then(() => run(write));
    },
    async flush() {
      await last;
      failing.signal.throwIfAborted();
    },
  };
}
