import { expect, it } from 'vitest';
import { dateFormat } from './date-format.ts';

const NOON = new Date('2026-03-24T12:00:00Z');

it('is made once for its options, and another one for others', () => {
  const inUtc = dateFormat({ timeStyle: 'short', timeZone: 'UTC' });
  expect(dateFormat({ timeStyle: 'short', timeZone: 'UTC' })).toBe(inUtc);
  const inNewYork = dateFormat({ timeStyle: 'short', timeZone: 'America/New_York' });
  expect([inUtc, inNewYork].map((format) => format.format(NOON).replace(/\s/g, ' '))).toEqual([
    '12:00 PM',
    '8:00 AM',
  ]);
});

it('keeps a bounded number, and makes what it gave up again', () => {
  const first = dateFormat({ timeStyle: 'short', timeZone: 'UTC' });
  for (let digits = 1; digits <= 3; digits += 1)
    for (const timeZone of Intl.supportedValuesOf('timeZone'))
      dateFormat({ fractionalSecondDigits: digits as 1 | 2 | 3, second: 'numeric', timeZone });
  const again = dateFormat({ timeStyle: 'short', timeZone: 'UTC' });
  expect(again).not.toBe(first);
  expect(again.format(NOON)).toBe(first.format(NOON));
});

it('refuses a time zone that does not exist, each time', () => {
  const make = () => dateFormat({ timeZone: 'Europe/Nowhere' });
  expect(make).toThrow(RangeError);
  expect(make).toThrow(RangeError);
});
