import type { CallClock } from './clock.ts';

/** Call time that stands still until a test lets it pass. */
export type TestCallClock = Pick<CallClock, 'nowMs' | 'sleep'> & {
  /** Lets `ms` pass: whoever sleeps is woken in order, and what he sets off is done before time goes on. */
  pass(ms: number): Promise<void>;
  /** Lets time pass until `isDone`; throws after `atMostMs`, naming what it waited for. */
  passUntil(what: string, isDone: () => boolean, atMostMs?: number): Promise<void>;
  /** Time stands still until `work` is done: for what really takes time, such as a thread. */
  hold<T>(work: Promise<T>): Promise<T>;
};

const MOST_WAITED_MS = 60_000;

export function createTestCallClock(): TestCallClock {
  let nowMs = 0;
  const sleepers = createSleepers();
  const held = new Set<Promise<unknown>>();

  /** Everything that follows from what was just done, as far as it needs no time. */
  async function settle(): Promise<void> {
    await nextTurn();
    while (held.size > 0) {
      await Promise.allSettled(held);
      await nextTurn();
    }
  }

  async function passTo(targetMs: number, isDone = () => false): Promise<void> {
    await settle();
    while (!isDone()) {
      const next = sleepers.takeUntil(targetMs);
      if (!next) {
        nowMs = targetMs;
        return;
      }
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
      await settle();
    }
  }

  return {
    nowMs: () => nowMs,
    sleep: (ms, signal) => sleepers.add(nowMs + Math.max(0, ms), signal),
    pass: (ms) => passTo(nowMs + ms),
    async passUntil(what, isDone, atMostMs = MOST_WAITED_MS) {
      await passTo(nowMs + atMostMs, isDone);
      if (!isDone()) throw new Error(`${what}: not after ${atMostMs} ms of call time`);
    },
    async hold(work) {
      held.add(work);
      try {
        return await work;
      } finally {
        held.delete(work);
      }
    },
  };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

type Sleeper = { atMs: number; wake: () => void };

/** Whoever sleeps, the earliest first. */
function createSleepers() {
  const sleepers: Sleeper[] = [];
  return {
    takeUntil(atMs: number): Sleeper | undefined {
      const first = sleepers[0];
      return first && first.atMs <= atMs ? sleepers.shift() : undefined;
    },
    add(atMs: number, signal: AbortSignal | undefined): Promise<void> {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason as Error);
        const onAbort = () => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal?.reason as Error);
        };
        const wake = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        };
        const sleeper = { atMs, wake };
        signal?.addEventListener('abort', onAbort, { once: true });
        const later = sleepers.findIndex((other) => other.atMs > atMs);
        sleepers.splice(later === -1 ? sleepers.length : later, 0, sleeper);
      });
    },
  };
}
