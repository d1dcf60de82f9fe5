/**
 * What the processes of the kill suite let be done to them: they end themselves at the point that a file names, and their
 * clock jumps at a signal. Loaded by the entries of this folder alone.
 */
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { watchFaultPoints } from '#lib/fault-points.ts';

export const armedFile = (folder: string) => join(folder, 'armed');
export const deathsFile = (folder: string) => join(folder, 'deaths');
const JUMP_MS = 3_600_000;

export function obeyFaults(folder: string): void {
  watchFaultPoints((point) => {
    if (!isArmed(folder, point)) return;
    appendFileSync(deathsFile(folder), `${point} ${process.pid}\n`);
    process.kill(process.pid, 'SIGKILL');
  });
  let shiftMs = 0;
  process.on('SIGUSR2', () => (shiftMs = shiftMs === 0 ? JUMP_MS : 0));
  shiftDates(() => shiftMs);
}

/** Of the processes of a worker one takes the file away, and dies. */
function isArmed(folder: string, point: string): boolean {
  try {
    if (readFileSync(armedFile(folder), 'utf8') !== point) return false;
    unlinkSync(armedFile(folder));
    return true;
  } catch {
    return false;
  }
}

/** The wall clock alone: timers and `performance` go on as they do where somebody sets a machine's time. */
function shiftDates(shift: () => number): void {
  const real = Date;
  globalThis.Date = new Proxy(real, {
    construct: (target, args: [], newTarget: NewableFunction) =>
      Reflect.construct(target, args.length === 0 ? [real.now() + shift()] : args, newTarget) as Date,
    get: (target, name, receiver) =>
      name === 'now' ? () => real.now() + shift() : (Reflect.get(target, name, receiver) as unknown),
  });
}
