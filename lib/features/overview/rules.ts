import { Temporal } from 'temporal-polyfill';
import { DEFAULT_DAYS, MOST_DAYS } from './contract.ts';

/** From `startsAt` up to `endsAt`, which does not belong to it. */
export type Span = { startsAt: Date; endsAt: Date };
export type Unit = 'hour' | 'day' | 'week';

/** What is asked for: the last so many days, today included, or from one day to another, `2026-11-22`. */
export type AskedRange = { days?: number | undefined; from?: string | undefined; to?: string | undefined };

export type Range = {
  from: string;
  to: string;
  unit: Unit;
  /** Every day from `from` to `to`. */
  days: Span[];
  /** What a chart shows beside each other: hours, days or weeks. */
  periods: Span[];
  /** The days before, as many. */
  daysBefore: Span[];
  before: Span;
};

/** Beyond so many days there is no room for each. */
const MOST_PERIODS = 92;

/** The range that is asked for, by the clock of a time zone; a fault in words where there is none. */
export function rangeOf(asked: AskedRange, timeZone: string, now: Date): Range | { fault: string } {
  const today = zoned(now, timeZone).toPlainDate();
  const to = asked.to === undefined ? today : Temporal.PlainDate.from(asked.to);
  const from =
    asked.from === undefined
      ? to.subtract({ days: (asked.days ?? DEFAULT_DAYS) - 1 })
      : Temporal.PlainDate.from(asked.from);
  const count = from.until(to, { largestUnit: 'day' }).days + 1;
  if (count < 1) return { fault: 'from must not be after to' };
  if (count > MOST_DAYS) return { fault: `at most ${MOST_DAYS} days` };
  const days = daysFrom(from, count, timeZone);
  const daysBefore = daysFrom(from.subtract({ days: count }), count, timeZone);
  const unit = count === 1 ? 'hour' : count <= MOST_PERIODS ? 'day' : 'week';
  return {
    from: from.toString(),
    to: to.toString(),
    unit,
    days,
    periods: unit === 'hour' ? hoursOf(whole(days)) : unit === 'day' ? days : weeksOf(days, from),
    daysBefore,
    before: unit === 'hour' ? soFar(whole(daysBefore), whole(days), now) : whole(daysBefore),
  };
}

/** The day that a moment is in, by the clock of a time zone. */
export function dayOf(moment: Date, timeZone: string): Span {
  const [day] = daysFrom(zoned(moment, timeZone).toPlainDate(), 1, timeZone);
  return day ?? { startsAt: moment, endsAt: moment };
}

/** What of a span is whole days, by the clock of a time zone, and what before and after them is not. */
export function wholeDaysOf({ startsAt, endsAt }: Span, timeZone: string): { days: Span[]; rest: Span[] } {
  const first = zoned(startsAt, timeZone).toPlainDate();
  const last = zoned(endsAt, timeZone).toPlainDate();
  const all = daysFrom(first, first.until(last, { largestUnit: 'day' }).days + 1, timeZone);
  const isWhole = (day: Span) => day.startsAt >= startsAt && day.endsAt <= endsAt;
  const rest = all
    .filter((day) => !isWhole(day))
    .map((day) => ({
      startsAt: day.startsAt > startsAt ? day.startsAt : startsAt,
      endsAt: day.endsAt < endsAt ? day.endsAt : endsAt,
    }))
    .filter((span) => span.startsAt < span.endsAt);
  return { days: all.filter(isWhole), rest };
}

function zoned(moment: Date, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime()).toZonedDateTimeISO(timeZone);
}

/** Days of 23, 24 or 25 hours. */
function daysFrom(first: Temporal.PlainDate, count: number, timeZone: string): Span[] {
  const startOf = (index: number) =>
    new Date(first.add({ days: index }).toZonedDateTime(timeZone).epochMilliseconds);
  return Array.from({ length: count }, (_, index) => ({
    startsAt: startOf(index),
    endsAt: startOf(index + 1),
  }));
}

function whole(spans: readonly Span[]): Span {
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) throw new Error('a range has a day');
  return { startsAt: first.startsAt, endsAt: last.endsAt };
}

const HOUR_MS = 3_600_000;

function hoursOf({ startsAt, endsAt }: Span): Span[] {
  const hours: Span[] = [];
  for (let at = startsAt.getTime(); at < endsAt.getTime(); at += HOUR_MS)
    hours.push({ startsAt: new Date(at), endsAt: new Date(Math.min(at + HOUR_MS, endsAt.getTime())) });
  return hours;
}

/** Weeks begin on Monday; the first and the last may be parts of one. */
function weeksOf(days: readonly Span[], first: Temporal.PlainDate): Span[] {
  const weeks: Span[] = [];
  for (const [index, day] of days.entries()) {
    const last = weeks.at(-1);
    if (!last || (first.dayOfWeek - 1 + index) % 7 === 0) weeks.push({ ...day });
    else last.endsAt = day.endsAt;
  }
  return weeks;
}

/** Of the day before, as much as there is of this one. */
function soFar(before: Span, day: Span, now: Date): Span {
  const isRunning = now > day.startsAt && now < day.endsAt;
  if (!isRunning) return before;
  const endsAt = Math.min(
    before.startsAt.getTime() + now.getTime() - day.startsAt.getTime(),
    before.endsAt.getTime(),
  );
  return { startsAt: before.startsAt, endsAt: new Date(endsAt) };
}

const steps = (from: number, to: number, by: number) =>
  Array.from({ length: Math.round((to - from) / by) + 1 }, (_, index) => from + index * by);

/** Answers are counted by how long they took: under the first, from each one to the next, and above the last. */
export const ANSWER_TIME_STEPS_MS: readonly number[] = [
  ...steps(100, 2000, 100),
  ...steps(2250, 4000, 250),
  5000,
  6000,
  8000,
  10_000,
  15_000,
];

/** Calls are counted by how long they took in the same way. */
export const DURATION_STEPS_SECONDS: readonly number[] = [
  ...steps(5, 60, 5),
  ...steps(75, 300, 15),
  ...steps(330, 600, 30),
  ...steps(720, 1800, 120),
];

/** The time that a share of the answers did not exceed; null without answers. */
export function answerTimeAt(share: number, counts: readonly number[]): number | null {
  const at = valueAt(share, counts, ANSWER_TIME_STEPS_MS);
  return at === null ? null : Math.round(at);
}

/** The value that a share of what was counted did not exceed, between two steps in a straight line; null without any. */
export function valueAt(share: number, counts: readonly number[], steps: readonly number[]): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let passed = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && passed + count >= share * total) {
      const from = steps[index - 1] ?? 0;
      const to = steps[index] ?? from;
      return from + ((share * total - passed) / count) * (to - from);
    }
    passed += count;
  }
  return steps.at(-1) ?? null;
}
