import { keepRenewing } from '#lib/heartbeat.ts';
import type { Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { letGoFirst, letGoLast } from './priority.ts';
import { type ConversationProcess, type StartOptions, startProcess } from './process.ts';

const PING_EVERY_MS = 2_000;
/** A process that fails at once is started again later and later. */
const FIRST_RESTART_MS = 100;
/** Calls that were claimed for it wait as long, and nothing may stand still for more than 30 s. */
const LAST_RESTART_MS = 5_000;
/** After so long a process counts as one that works. */
const WORKS_AFTER_MS = 60_000;
const STOP_WITHIN_MS = 3_000;
/** So many in a row are no accident: the next process is believed when it has worked for a while. */
const MOST_FAILURES = 3;

type Slot = { process: ConversationProcess | undefined; startedAt: number; failures: number };

async function unlessAborted(event: Promise<void>, signal: AbortSignal): Promise<void> {
  const aborted = Promise.withResolvers<void>();
  const onAbort = () => aborted.resolve();
  signal.addEventListener('abort', onAbort, { once: true });
  if (!signal.aborted) await Promise.race([event, aborted.promise]);
  signal.removeEventListener('abort', onAbort);
  signal.throwIfAborted();
}

/** After so many failures in a row. */
const waitBeforeRestart = (failures: number) =>
  Math.min(LAST_RESTART_MS, FIRST_RESTART_MS * 2 ** Math.max(0, failures - 1));

export type Crew = ReturnType<typeof createCrew>;

type CrewOptions = {
  count: number;
  entry: URL;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  log: Logger;
  metrics: StartOptions['metrics'];
  /** Nobody waits for what runs in them: every other process goes first. */
  goesLast?: boolean;
  /** One became ready, or died. */
  onChange(): void;
  onIncoming(
    process: ConversationProcess,
    ...asked: Parameters<StartOptions['onIncoming']>
  ): ReturnType<StartOptions['onIncoming']>;
  onCarrierState: StartOptions['onCarrierState'];
};

/** Keeps `count` processes running: starts again what dies, and kills what gives no sign of life. */
export function createCrew(options: CrewOptions) {
  const { clock, log } = options;
  const slots: Slot[] = Array.from({ length: options.count }, () => ({
    process: undefined,
    startedAt: 0,
    failures: 0,
  }));
  const stopping = new AbortController();
  let becameReady = Promise.withResolvers<void>();

  const all = () => slots.flatMap((slot) => slot.process ?? []);
  const ready = () => all().filter((each) => each.carriers());

  function fill(slot: Slot): void {
    const startedAt = clock.now().getTime();
    const started = startProcess({
      ...options,
      onIncoming: (...asked) => options.onIncoming(started, ...asked),
      onReady() {
        if (options.goesLast) letGoLast(started.pid);
        else letGoFirst(started.pid);
        becameReady.resolve();
        becameReady = Promise.withResolvers();
        options.onChange();
      },
      onGone(lostCalls) {
        slot.process = undefined;
        if (stopping.signal.aborted) return;
        options.onChange();
        slot.failures = hasWorked(slot) ? 0 : slot.failures + 1;
        const againInMs = waitBeforeRestart(slot.failures);
        log.error({ event: 'conversation_process_died', calls: lostCalls, againInMs });
        clock.sleep(againInMs, stopping.signal).then(
          () => fill(slot),
          () => undefined,
        );
      },
    });
    slot.process = started;
    slot.startedAt = startedAt;
  }

  const hasWorked = ({ startedAt }: Slot) => clock.now().getTime() - startedAt >= WORKS_AFTER_MS;

  return {
    all,
    ready,
    /** Those that are ready and not the next in a row that dies again and again. */
    steady: () =>
      slots.filter((slot) => slot.process?.carriers() && (slot.failures < MOST_FAILURES || hasWorked(slot))),
    /** The one with the fewest calls, of those that are ready. */
    freest: () => ready().toSorted((a, b) => a.callCount() - b.callCount())[0],

    /** Called once. */
    start(): void {
      slots.forEach(fill);
      void keepRenewing(stopping.signal, {
        clock,
        everyMs: PING_EVERY_MS,
        renew: async () => all().forEach((each) => each.ping()),
        onError: () => undefined,
      });
    },

    /** Resolves as soon as one is ready; rejects with the reason of `signal`, or when the crew stops. */
    async untilReady(signal: AbortSignal): Promise<void> {
      const giveUp = AbortSignal.any([signal, stopping.signal]);
      while (ready().length === 0) await unlessAborted(becameReady.promise, giveUp);
      giveUp.throwIfAborted();
    },

    stop(): Promise<void> {
      stopping.abort(new Error('the service is stopping'));
      return stopAll(all, clock);
    },
  };
}

async function stopAll(all: () => ConversationProcess[], clock: Clock): Promise<void> {
  for (const each of all()) each.send({ kind: 'stop' });
  const until = clock.now().getTime() + STOP_WITHIN_MS;
  while (all().length > 0 && clock.now().getTime() < until) await clock.sleep(10);
  for (const each of all()) each.kill();
}
