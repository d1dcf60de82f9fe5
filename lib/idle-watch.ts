import type { Clock } from '#lib/ports/clock.ts';

/** Calls `onIdle` each time that nothing was used for `idleMs`; whoever uses something says so with `touch`. */
export function watchIdle({
  clock,
  idleMs,
  onIdle,
}: {
  clock: Pick<Clock, 'sleep'>;
  idleMs: number;
  onIdle(): void;
}): { touch(): void; stop(): void } {
  let waiting = new AbortController();
  const stop = () => waiting.abort(new Error('They are needed'));
  return {
    stop,
    touch() {
      stop();
      waiting = new AbortController();
      clock.sleep(idleMs, waiting.signal).then(onIdle, () => undefined);
    },
  };
}
