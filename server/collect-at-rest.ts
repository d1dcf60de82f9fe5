import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const LOOK_MS = 10_000;
const LOOKS_AT_REST = 6;
/** Its own sweeps leave garbage as well, 20 MB a minute. */
const LOOKS_UNTIL_AGAIN = 12;
/** Share of the time in which the process did something. Its own sweeps take a few hundredths, one open page little more. */
const MOST_AT_REST = 0.1;

/**
 * Tells at each look whether this is the moment to collect: when nothing has happened for `looks` of them, and in a long rest
 * after every `again`. `share`: of the time since the last look in which the process did something, 0 to 1.
 */
export function createRest({ looks = LOOKS_AT_REST, again = LOOKS_UNTIL_AGAIN, most = MOST_AT_REST } = {}) {
  let rested = 0;
  return (share: number, isBusy: boolean): boolean => {
    rested = isBusy || share > most ? 0 : rested + 1;
    return rested >= looks && (rested - looks) % again === 0;
  };
}

/**
 * Collects what V8 keeps for later, code that did not run for long among it, when the process has rested for a minute, and
 * every two minutes of a longer one (docs/decisions/0361). It does nothing else for a third of a second then, so never while
 * `isBusy`.
 */
export function collectAtRest({ isBusy }: { isBusy: () => boolean }): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  const isMoment = createRest();
  let before = performance.eventLoopUtilization();
  setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (isMoment(utilization, isBusy())) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  }, LOOK_MS).unref();
}
