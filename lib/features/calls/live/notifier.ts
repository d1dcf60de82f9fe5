/**
 * Wakes live views of this process as soon as something was written. Only a hint: the views read the database, so
 * what another process writes is seen at their next look.
 */
export function createCallNotifier() {
  const waiting = new Map<string, Set<() => void>>();

  function wake(topic: string): void {
    const waiters = waiting.get(topic);
    waiting.delete(topic);
    waiters?.forEach((resolve) => resolve());
  }

  return {
    /** Something happened on a call. Call it after the transaction committed. */
    notify(workspaceId: string, callId: string): void {
      wake(callId);
      wake(workspaceId);
    },
    /** Resolves at the next notification for a call or a workspace. `cancel` forgets the waiter. */
    waitFor(topic: string): { woken: Promise<void>; cancel: () => void } {
      const { promise, resolve } = Promise.withResolvers<void>();
      const waiters = waiting.get(topic) ?? new Set();
      waiting.set(topic, waiters.add(resolve));
      const cancel = () => {
        waiters.delete(resolve);
        if (waiters.size === 0 && waiting.get(topic) === waiters) waiting.delete(topic);
      };
      return { woken: promise, cancel };
    },
  };
}

export type CallNotifier = ReturnType<typeof createCallNotifier>;
