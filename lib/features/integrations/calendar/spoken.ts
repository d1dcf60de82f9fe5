import { dateFormat } from '#lib/date-format.ts';
import type { WantedTimes } from './tools.ts';
import { type Interval, localOf } from './slots.ts';

const MAX_TIMES = 12;

/** A day's free times, as a model reads them and as they are said; `moreTimes`: how many are free that are not listed. */
export type SpokenDay = { date: string; times: string[]; moreTimes?: number; spoken: string };

export function describeDay(date: string, slots: readonly Interval[], timeZone: string): SpokenDay {
  const shown = spread(slots, MAX_TIMES);
  const times = shown.map(({ startMs }) => localOf(startMs, timeZone).time);
  const moreTimes = slots.length - shown.length;
  const said = [...times.map(speakTime), ...(moreTimes > 0 ? [`${moreTimes} more`] : [])];
  const spoken = `${speakDay(date)}: ${new Intl.ListFormat('en').format(said)}`;
  return { date, times, ...(moreTimes > 0 ? { moreTimes } : {}), spoken };
}

/** `2026-03-24`: Tuesday, March 24. */
export function speakDay(date: string): string {
  return dateFormat({
    timeZone: 'UTC',
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(new Date(`${date}T00:00:00Z`));
}

/** `15:30`: 3:30 PM. */
export function speakTime(time: string): string {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const minutes = minute === 0 ? '' : `:${String(minute).padStart(2, '0')}`;
  return `${hour % 12 === 0 ? 12 : hour % 12}${minutes} ${hour < 12 ? 'AM' : 'PM'}`;
}

export function isWanted(slot: Interval, { part, from, until }: WantedTimes, timeZone: string): boolean {
  const { time } = localOf(slot.startMs, timeZone);
  if ((from !== undefined && time < from) || (until !== undefined && time > until)) return false;
  if (part === undefined) return true;
  if (part === 'morning') return time < '12:00';
  return part === 'afternoon' ? time >= '12:00' && time < '17:00' : time >= '17:00';
}

/** Some of many, from the whole day and not from its beginning alone. */
function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items];
  const step = (items.length - 1) / (count - 1);
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)]).filter(
    (item) => item !== undefined,
  );
}
