import { watchIdle } from '#lib/idle-watch.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { ConversationProcesses } from './processes.ts';

/** Processes that are there while something is to be run in them. */
export type IdleProcesses = Pick<ConversationProcesses, 'ready' | 'run' | 'counts' | 'stop'>;

/**
 * Starts processes when they are needed, and stops them when nothing has run in them for `idleMs`. `wanted` is how many
 * there are while they are needed.
 */
export function createIdleProcesses({
  open,
  wanted,
  clock,
  idleMs,
}: {
  open(): IdleProcesses;
  wanted: number;
  clock: Clock;
  idleMs: number;
}): IdleProcesses {
  let current: IdleProcesses | undefined;
  let running = 0;
  /** The ones before: two sets at a time would be twice the memory. */
  let stopped = Promise.resolve();

  const idle = watchIdle({
    clock,
    idleMs,
    onIdle() {
      if (running > 0 || !current) return;
      stopped = current.stop().catch(() => undefined);
      current = undefined;
    },
  });

  return {
    async ready(signal) {
      await stopped;
      current ??= open();
      idle.touch();
      await current.ready(signal);
      idle.touch();
    },

    run(order, client) {
      if (!current) throw new Error('Processes are made ready before something is run in them');
      const talk = current.run(order, client);
      running += 1;
      const end = () => {
        running -= 1;
        idle.touch();
      };
      talk.result.then(end, end);
      return talk;
    },

    counts: () => ({ ...(current?.counts() ?? { ready: 0, steady: 0 }), wanted }),

    async stop() {
      idle.stop();
      await stopped;
      await current?.stop();
    },
  };
}
