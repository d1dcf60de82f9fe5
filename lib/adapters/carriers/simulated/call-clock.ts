import type { CallClock, Clock } from '#lib/ports/clock.ts';

/**
 * The clock of one simulated call. `speed` 1 is real time, 20 is twenty times faster, 0 is as fast as the machine
 * can think: then time is virtual and jumps from one sleeper to the next.
 */
export function createCallClock(speed: number, clock: Clock): CallClock {
  return speed === 0 ? createVirtualClock() : createScaledClock(speed, clock);
}

function createScaledClock(speed: number, clock: Clock): CallClock {
  const startedAtMs = clock.now().getTime();
  return {
    nowMs: () => (clock.now().getTime() - startedAtMs) * speed,
    sleep: (ms, signal) => clock.sleep(Math.max(0, ms) / speed, signal),
    during: (work) => work,
  };
}

type Sleeper = { atMs: number; order: number; wake: () => void };

/**
 * Discrete-event time: one sleeper is woken per turn of the event loop, the earliest first, and none while work
 * that was handed to `during` is under way. So a call takes the same course whatever the machine is doing.
 */
function createVirtualClock(): CallClock {
  let nowMs = 0;
  let order = 0;
  let workInProgress = 0;
  let isScheduled = false;
  const sleepers = new Set<Sleeper>();

  function schedule(): void {
    if (isScheduled || workInProgress > 0 || sleepers.size === 0) return;
    isScheduled = true;
    setImmediate(wakeEarliest);
  }

  function wakeEarliest(): void {
    isScheduled = false;
    if (workInProgress > 0) return;
    let earliest: Sleeper | undefined;
    for (const sleeper of sleepers) {
      if (!earliest || sleeper.atMs < earliest.atMs || (sleeper.atMs === earliest.atMs && sleeper.order < earliest.order)) {
        earliest = sleeper;
      }
    }
    if (!earliest) return;
    sleepers.delete(earliest);
    nowMs = Math.max(nowMs, earliest.atMs);
    earliest.wake();
    schedule();
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const onAbort = () => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const sleeper: Sleeper = {
        atMs: nowMs + Math.max(0, ms),
        order: (order += 1),
        wake: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      sleepers.add(sleeper);
      schedule();
    });
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    workInProgress += 1;
    try {
      return await work;
    } finally {
      // Released only after whoever awaited the work has gone on, else time could pass in between.
      setImmediate(() => {
        workInProgress -= 1;
        schedule();
      });
    }
  }

  return { nowMs: () => nowMs, sleep, during };
}
