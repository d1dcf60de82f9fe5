import { Temporal } from 'temporal-polyfill';
import { WEEKDAYS } from '#lib/calling-hours/calling-hours.ts';
import type { CalendarSettings, Span } from './settings.ts';

/** From and until, in milliseconds since 1970; the end is not part of it. */
export type Interval = { startMs: number; endMs: number };

/** The settings with the time zone that counts. */
export type SlotRules = Omit<CalendarSettings, 'timeZone' | 'title'> & { timeZone: string };

const MINUTE_MS = 60_000;

/** All slots that a day's hours have, free or not, in their order. */
export function slotsOfDay(rules: SlotRules, date: string): Interval[] {
  const day = Temporal.PlainDate.from(date);
  const starts = spansOf(rules, day).flatMap(({ from, until }) => {
    const [opensAt, closesAt] = [minutesOf(from), minutesOf(until)];
    const count = Math.max(0, Math.floor((closesAt - opensAt) / rules.slotMinutes));
    return Array.from({ length: count }, (_, index) => opensAt + index * rules.slotMinutes);
  });
  return [...new Set(starts)]
    .sort((one, other) => one - other)
    .flatMap((minutes) => {
      const startMs = momentOf(day, minutes, rules.timeZone);
      // In the hour that a clock skips nobody can come.
      return startMs === undefined ? [] : [{ startMs, endMs: startMs + rules.slotMinutes * MINUTE_MS }];
    });
}

/** The slots of a day that can be booked now. */
export function freeSlots(
  rules: SlotRules,
  given: { date: string; busy: readonly Interval[]; nowMs: number },
): Interval[] {
  const { date, busy, nowMs } = given;
  if (date < todayOf(rules, nowMs) || date > lastDayOf(rules, nowMs)) return [];
  const earliestMs = nowMs + rules.noticeMinutes * MINUTE_MS;
  return slotsOfDay(rules, date).filter(
    (slot) => slot.startMs >= earliestMs && slot.startMs > nowMs && !isTaken(rules, slot, busy),
  );
}

/** Whether something else is at that time, or too near to it. */
export function isTaken(
  rules: Pick<SlotRules, 'bufferMinutes'>,
  slot: Interval,
  busy: readonly Interval[],
): boolean {
  const bufferMs = rules.bufferMinutes * MINUTE_MS;
  return busy.some(
    ({ startMs, endMs }) => slot.startMs < endMs + bufferMs && startMs < slot.endMs + bufferMs,
  );
}

/** From the beginning of one day to the end of another, by the calendar's clock, with what a buffer reaches beyond. */
export function rangeOf(rules: SlotRules, { from, until }: { from: string; until: string }): Interval {
  const start = (date: Temporal.PlainDate) => date.toZonedDateTime(rules.timeZone).epochMilliseconds;
  const bufferMs = rules.bufferMinutes * MINUTE_MS;
  return {
    startMs: start(Temporal.PlainDate.from(from)) - bufferMs,
    endMs: start(Temporal.PlainDate.from(until).add({ days: 1 })) + bufferMs,
  };
}

export function todayOf({ timeZone }: Pick<SlotRules, 'timeZone'>, nowMs: number): string {
  return localOf(nowMs, timeZone).date;
}

/** The last day on which there are appointments. */
export function lastDayOf(rules: Pick<SlotRules, 'timeZone' | 'daysAhead'>, nowMs: number): string {
  return addDays(todayOf(rules, nowMs), rules.daysAhead);
}

export function addDays(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString();
}

/** What clocks in a zone show: `2026-03-24` and `15:30`. */
export function localOf(ms: number, timeZone: string): { date: string; time: string } {
  const local = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  return {
    date: local.toPlainDate().toString(),
    time: local.toPlainTime().toString({ smallestUnit: 'minute' }),
  };
}

/** Whether there is such a day, like `2026-02-28`. */
export function isDay(date: string): boolean {
  try {
    return /^\d{4}-\d{2}-\d{2}$/.test(date) && Temporal.PlainDate.from(date).toString() === date;
  } catch {
    return false;
  }
}

function spansOf(rules: SlotRules, day: Temporal.PlainDate): readonly Span[] {
  const exception = rules.exceptions.find(({ date }) => date === day.toString());
  if (exception) return exception.spans;
  const weekday = WEEKDAYS[day.dayOfWeek - 1];
  return weekday ? rules.week[weekday] : [];
}

function momentOf(day: Temporal.PlainDate, minutes: number, timeZone: string): number | undefined {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60), minute: minutes % 60 });
  const zoned = day.toZonedDateTime({ timeZone, plainTime: time });
  return zoned.toPlainTime().equals(time) ? zoned.epochMilliseconds : undefined;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
