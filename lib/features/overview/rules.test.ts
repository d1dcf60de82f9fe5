import { describe, expect, it } from 'vitest';
import { answerTimeAt, ANSWER_TIME_STEPS_MS, type AskedRange, dayOf, rangeOf } from './rules.ts';

function range(asked: AskedRange, timeZone = 'Europe/Berlin', now = '2026-11-22T22:30:00Z') {
  const found = rangeOf(asked, timeZone, new Date(now));
  if ('fault' in found) throw new Error(found.fault);
  return found;
}

const hours = ({ startsAt, endsAt }: { startsAt: Date; endsAt: Date }) =>
  (endsAt.getTime() - startsAt.getTime()) / 3_600_000;

describe('a range', () => {
  it('of the last days ends with today by the clock of the workspace, and is compared with as many before', () => {
    const week = range({ days: 7 });
    expect([week.from, week.to, week.unit, week.periods.length]).toEqual([
      '2026-11-16',
      '2026-11-22',
      'day',
      7,
    ]);
    expect(week.periods[0]?.startsAt.toISOString()).toBe('2026-11-15T23:00:00.000Z');
    expect(week.before.startsAt.toISOString()).toBe('2026-11-08T23:00:00.000Z');
    expect(week.before.endsAt).toEqual(week.periods[0]?.startsAt);
    // In Auckland the next day has begun.
    expect(range({ days: 7 }, 'Pacific/Auckland').to).toBe('2026-11-23');
  });

  it('has days of 23 and 25 hours where clocks are changed, and leaves no moment out', () => {
    const spring = range({ from: '2026-03-28', to: '2026-03-30' });
    expect(spring.periods.map(hours)).toEqual([24, 23, 24]);
    const autumn = range({ from: '2026-10-24', to: '2026-10-26' });
    expect(autumn.periods.map(hours)).toEqual([24, 25, 24]);
    for (const { days } of [spring, autumn])
      for (const [index, day] of days.slice(1).entries()) expect(day.startsAt).toEqual(days[index]?.endsAt);
  });

  it('of one day is shown by hour, of which such days have 23 and 25', () => {
    expect(range({ from: '2026-03-29', to: '2026-03-29' }).periods).toHaveLength(23);
    expect(range({ from: '2026-10-25', to: '2026-10-25' }).periods).toHaveLength(25);
    expect(range({ from: '2026-11-01', to: '2026-11-01' }).unit).toBe('hour');
  });

  it('of today is compared with yesterday up to the same time', () => {
    const { before } = range({ days: 1 });
    expect(before.startsAt.toISOString()).toBe('2026-11-20T23:00:00.000Z');
    expect(before.endsAt.toISOString()).toBe('2026-11-21T22:30:00.000Z');
    expect(hours(range({ from: '2026-11-20', to: '2026-11-20' }).before)).toBe(24);
  });

  it('of a year is shown by weeks that begin on Monday', () => {
    const year = range({ days: 365 });
    expect([year.unit, year.days.length, year.daysBefore.length]).toEqual(['week', 365, 365]);
    expect(year.periods).toHaveLength(53);
    const monday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'Europe/Berlin' });
    for (const { startsAt } of year.periods.slice(1)) expect(monday.format(startsAt)).toBe('Mon');
    expect(year.periods.at(-1)?.endsAt).toEqual(year.days.at(-1)?.endsAt);
  });

  it('of days with half an hour in their zone begins when they do', () => {
    expect(dayOf(new Date('2026-11-22T18:40:00Z'), 'Asia/Kolkata').startsAt.toISOString()).toBe(
      '2026-11-22T18:30:00.000Z',
    );
  });

  it('that ends before it begins, or is too long, is refused in words', () => {
    const now = new Date('2026-11-22T22:30:00Z');
    expect(rangeOf({ from: '2026-11-23', to: '2026-11-22' }, 'UTC', now)).toEqual({
      fault: 'from must not be after to',
    });
    expect(rangeOf({ from: '2020-01-01' }, 'UTC', now)).toEqual({ fault: 'at most 731 days' });
  });
});

describe('answer times', () => {
  const counts = (times: number[]) => {
    const bins = [...ANSWER_TIME_STEPS_MS, 0].map(() => 0);
    for (const time of times) {
      const bin = ANSWER_TIME_STEPS_MS.filter((step) => step <= time).length;
      bins[bin] = (bins[bin] ?? 0) + 1;
    }
    return bins;
  };

  it('are told from counts to within a step', () => {
    const times = Array.from({ length: 1_000 }, (_, index) => 300 + index);
    expect(answerTimeAt(0.5, counts(times))).toBeCloseTo(800, -2);
    expect(answerTimeAt(0.95, counts(times))).toBeCloseTo(1_250, -2);
    expect(answerTimeAt(0.5, counts([640]))).toBeGreaterThanOrEqual(600);
    expect(answerTimeAt(0.5, counts([640]))).toBeLessThanOrEqual(700);
  });

  it('beyond the last step are at least that long, and of no answers there is none', () => {
    expect(answerTimeAt(0.5, counts([60_000]))).toBe(15_000);
    expect(answerTimeAt(0.5, counts([]))).toBeNull();
    expect(answerTimeAt(0.5, [])).toBeNull();
  });
});
