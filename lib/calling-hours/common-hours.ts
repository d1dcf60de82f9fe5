import { areEverOpen, type CallingHours } from './calling-hours.ts';

/**
 * The hours that all have to be open where there are two; `own` is null where there is only one. Null where they never are
 * at the same time.
 */
export function commonHours(hours: CallingHours, own: CallingHours | null): CallingHours[] | null {
  const both = [hours, ...(own ? [own] : [])].filter((each) => each.isOn);
  return both.length === 2 && !areEverOpen(both) ? null : both;
}
