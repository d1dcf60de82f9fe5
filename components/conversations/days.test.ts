import { expect, it } from 'vitest';
import { daysAgo, endOfDay, startOfDay, toDay } from './days.ts';

const iso = (milliseconds: string | number) => new Date(Number(milliseconds)).toISOString();

it.each([
  ['2026-11-24', 'UTC', '2026-11-24T00:00:00.000Z', '2026-11-24T23:59:59.999Z'],
  ['2026-11-24', 'America/New_York', '2026-11-24T05:00:00.000Z', '2026-11-25T04:59:59.999Z'],
  // The day on which clocks go forward has 23 hours, the one on which they go back 25.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
  ['2026-06-01', 'Pacific/Kiritimati', '2026-05-31T10:00:00.000Z', '2026-06-01T09:59:59.999Z'],
])('the day %s of %s is from %s to %s', (day, zone, start, end) => {
  expect([iso(startOfDay(day, zone)), iso(endOfDay(day, zone))]).toEqual([start, end]);
  expect([toDay(startOfDay(day, zone), zone), toDay(endOfDay(day, zone), zone)]).toEqual([day, day]);
});

it('days ago are those of the workspace, whatever the date is elsewhere', () => {
  const now = Date.parse('2026-11-24T02:00:00Z');
  expect(iso(daysAgo(0, 'America/New_York', now))).toBe('2026-11-23T05:00:00.000Z');
  expect(iso(daysAgo(6, 'Europe/Berlin', now))).toBe('2026-11-17T23:00:00.000Z');
});
