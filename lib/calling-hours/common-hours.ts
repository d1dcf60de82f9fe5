import type { CallingHours } from './calling-hours.ts';

/**
 * The hours in which both allow calls; `own` is null where there is only one. Null where they never do at the same time.
 */
export function commonHours(hours: CallingHours, own: CallingHours | null): CallingHours | null {
  if (own === null || !own.isOn) return hours;
  if (!hours.isOn) return own;
  const days = hours.days.filter((day) => own.days.includes(day));
  const from = own.from > hours.from ? own.from : hours.from;
  const to = own.to < hours.to ? own.to : hours.to;
  return days.length === 0 || from >= to ? null : { isOn: true, days, from, to };
}
