import type { CallClock } from '#lib/ports/clock.ts';

export type Timers<Name extends string> = {
  /** (Re)starts the timer: only the last start of a name rings. */
  set(name: Name, ms: number): void;
  clear(name: Name): void;
  clearAll(): void;
};

/** The reason with which a timer is aborted, one for all: an error for each would be made with its stack. */
export const CLEARED = new Error('The timer was cleared');

/** Named timers on the call clock. `isCurrent` is asked again by whoever reads the ring later from a queue. */
export function createTimers<Name extends string>(
  clock: CallClock,
  onRing: (name: Name, isCurrent: () => boolean) => void,
): Timers<Name> {
  const running = new Map<Name, AbortController>();

  function clear(name: Name): void {
    running.get(name)?.abort(CLEARED);
    running.delete(name);
  }

  return {
    set(name, ms) {
      clear(name);
      const timer = new AbortController();
      running.set(name, timer);
      clock.sleep(ms, timer.signal).then(
        () => onRing(name, () => running.get(name) === timer),
        () => undefined,
      );
    },
    clear,
    clearAll() {
      for (const timer of running.values()) timer.abort(CLEARED);
      running.clear();
    },
  };
}
