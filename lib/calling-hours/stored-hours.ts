import { type CallingHours, WEEKDAYS } from './calling-hours.ts';

/**
 * Hours as they are stored. A process of the version before, which knows one pair of times within one day, reads from them
 * a part of what is meant, never more: nights end for it at midnight, and of days with times of their own it knows those of
 * the first. What is meant stands in `all`.
 */
export type StoredHours = Pick<CallingHours, 'isOn' | 'days' | 'from' | 'to'> & { all?: CallingHours };

export function toStoredHours(hours: CallingHours): StoredHours {
  const { isOn, days, perDay, from, to } = hours;
  const timesOf = (day: CallingHours['days'][number]) => perDay?.[day] ?? { from, to };
  if (from < to && Object.keys(perDay ?? {}).length === 0) return { isOn, days, from, to };
  const [first] = WEEKDAYS.filter((day) => days.includes(day));
  const known = first === undefined ? { from, to } : timesOf(first);
  const alike = days.filter((day) => timesOf(day).from === known.from && timesOf(day).to === known.to);
  return {
    isOn,
    days: alike,
    from: known.from,
    to: known.from < known.to ? known.to : '24:00',
    all: hours,
  };
}

export function fromStoredHours({ all, ...plain }: StoredHours): CallingHours {
  return all ?? plain;
}
