import type { CallClock, Clock } from '#lib/ports/clock.ts';

/** The clock of a simulated call, whose time can be held. */
export type SimulatedClock = CallClock & {
  /** Whether it runs as the wall clock does. */
  readonly isRealTime: boolean;
  /**
   * Awaits real work (a database write, a language model). Away from real time, call time stands still until the work
   * is done, so no silence timer fires meanwhile.
   */
  during<T>(work: Promise<T>): Promise<T>;
  /** Holds call time, away from real time, until the function it gives is called. */
  hold(): () => void;
};

/**
 * The clock of one simulated call. `speed` 1 is real time; 20 is twenty times faster; 0 is as fast as the machine can
 * think. Away from real time the call's time stands still while real work is under way (a database write, speech
 * being made): otherwise a tenth of a second of work would be seconds of silence in the call, and a busy machine
 * would change what is said.
 */
export function createCallClock(speed: number, clock: Clock): SimulatedClock {
  return speed > 0 && speed <= 1 ? createScaledClock(speed, clock) : createVirtualClock(speed, clock);
}

function createScaledClock(speed: number, clock: Clock): SimulatedClock {
  const startedAtMs = clock.now().getTime();
  return {
    isRealTime: speed === 1,
    nowMs: () => (clock.now().getTime() - startedAtMs) * speed,
    sleep: (ms, signal) => clock.sleep(Math.max(0, ms) / speed, signal),
    during: (work) => work,
    hold: () => () => undefined,
  };
}

type Sleeper = { atMs: number; order: number; wake: () => void };

/**
 * Discrete-event time: one sleeper is woken per turn of the event loop, the earliest first, and none while it is held.
 * So a call takes the same course whatever the machine is doing. With a speed, the way to the next sleeper takes its
 * share of real time; with 0 it takes none.
 */
function createVirtualClock(speed: number, clock: Clock): SimulatedClock {
  const sleepers = new Set<Sleeper>();
  const travel = createTravel(speed, clock);
  let order = 0;
  let holds = 0;

  /** Sets out for the earliest sleeper; whoever comes in between (an earlier sleeper, a hold) stops it first. */
  function schedule(): void {
    travel.stop();
    const next = holds > 0 ? undefined : earliest(sleepers);
    if (!next) return;
    travel.to(next.atMs, () => {
      sleepers.delete(next);
      next.wake();
      // Whoever was woken goes on first: it may sleep again, or begin work.
      setImmediate(() => {
        if (!travel.isUnderWay()) schedule();
      });
    });
  }

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const onAbort = () => {
        sleepers.delete(sleeper);
        reject(signal?.reason as Error);
        schedule();
      };
      const wake = () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper: Sleeper = { atMs: travel.nowMs() + Math.max(0, ms), order: (order += 1), wake };
      signal?.addEventListener('abort', onAbort, { once: true });
      sleepers.add(sleeper);
      schedule();
    });
  }

  function hold(): () => void {
    let isHeld = true;
    holds += 1;
    schedule();
    return () => {
      if (isHeld) holds -= 1;
      isHeld = false;
      schedule();
    };
  }

  async function during<T>(work: Promise<T>): Promise<T> {
    const release = hold();
    try {
      return await work;
    } finally {
      // Released only after whoever awaited the work has gone on, else time could pass in between.
      setImmediate(release);
    }
  }

  return { isRealTime: false, nowMs: travel.nowMs, sleep, during, hold };
}

function earliest(sleepers: Iterable<Sleeper>): Sleeper | undefined {
  let first: Sleeper | undefined;
  for (const sleeper of sleepers) {
    if (!first || sleeper.atMs < first.atMs || (sleeper.atMs === first.atMs && sleeper.order < first.order))
      first = sleeper;
  }
  return first;
}

/** Moves virtual time on, one way at a time. */
function createTravel(speed: number, clock: Clock) {
  let nowMs = 0;
  let underWay: AbortController | undefined;
  return {
    nowMs: () => nowMs,
    isUnderWay: () => underWay !== undefined,
    /** Stops on the way, as far as it came. */
    stop(): void {
      underWay?.abort();
      underWay = undefined;
    },
    to(atMs: number, arrived: () => void): void {
      const journey = new AbortController();
      underWay = journey;
      const setOutAtMs = nowMs;
      const setOutAt = clock.now().getTime();
      journey.signal.addEventListener('abort', () => {
        const travelledMs = speed === 0 ? 0 : (clock.now().getTime() - setOutAt) * speed;
        nowMs = Math.max(nowMs, Math.min(atMs, setOutAtMs + travelledMs));
      });
      const arrive = () => {
        if (journey.signal.aborted) return;
        underWay = undefined;
        nowMs = Math.max(nowMs, atMs);
        arrived();
      };
      if (speed === 0) setImmediate(arrive);
      else clock.sleep((atMs - nowMs) / speed, journey.signal).then(arrive, () => undefined);
    },
  };
}
