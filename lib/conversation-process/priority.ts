import { getPriority, setPriority } from 'node:os';

/** On Linux a third of the share of the processor where both want it; a frame of sound is due every 20 ms, a page is not. */
const YIELD_BY = 5;

const usual = getPriority();

/**
 * Lets a process of conversations go before this one. The first is started while both are equal; one that is started
 * later inherits the lower priority, and gets the usual one back only where the system allows it.
 */
export function letGoFirst(pid: number | undefined): void {
  try {
    if (pid !== undefined && getPriority(pid) !== usual) setPriority(pid, usual);
  } catch {
    // Not allowed, or gone already.
  }
  try {
    if (getPriority() === usual) setPriority(Math.min(usual + YIELD_BY, 19));
  } catch {
    // Where the system forbids it, all are equally important.
  }
}

/**
 * A tenth of the share of a call's process on Linux, and a third of that of the service. At 19 a busy machine (load 20 on
 * two cores) left a process so little that it did not come to answer for ten seconds.
 */
const LAST = 10;

/** Lets every other process of the machine go before this one. */
export function letGoLast(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, LAST);
  } catch {
    // Not allowed, or gone already.
  }
}
