import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toInstant, toLocalTime } from '#lib/engine/zoned-time.ts';
import { speakMoment } from '#lib/engine/spoken-time.ts';
import { findSpokenMoment } from './spoken-moment.ts';

// Monday, 2 March 2026, 10:00 in Berlin.
const NOW = new Date('2026-03-02T09:00:00.000Z');
const find = (text: string, timeZone = 'Europe/Berlin', now = NOW) => findSpokenMoment(text, now, timeZone);

describe('a spoken moment', () => {
  it.each([
    ['next Tuesday at 3 pm', '2026-03-10', '15:00'],
    ['Tuesday at 3 pm', '2026-03-03', '15:00'],
    ['on Thursday at ten thirty', '2026-03-05', '10:30'],
    ['tomorrow at ten thirty', '2026-03-03', '10:30'],
    ['Tomorrow at 2 p.m.', '2026-03-03', '14:00'],
    ['tomorrow at three', '2026-03-03', '15:00'],
    ["tomorrow at three o'clock", '2026-03-03', '15:00'],
    ['March 3rd, 14:00', '2026-03-03', '14:00'],
    ['the third of March at 9 am', '2026-03-03', '09:00'],
    ['March twenty-fourth at quarter past four', '2026-03-24', '16:15'],
    ['next Monday at half past nine', '2026-03-09', '09:30'],
    ['Friday at quarter to five', '2026-03-06', '16:45'],
    ['Friday at noon', '2026-03-06', '12:00'],
    ['next Friday at 11 am', '2026-03-13', '11:00'],
    ['Could we do Wednesday the 11th of March at 8:30 in the morning?', '2026-03-11', '08:30'],
    ['in two days at 5pm', '2026-03-04', '17:00'],
    ['today at 4 pm', '2026-03-02', '16:00'],
    ['2026-03-24 at 15:30', '2026-03-24', '15:30'],
  ])('%s', (text, date, time) => {
    expect(find(text)).toEqual({ date, time });
  });

  it.each([
    ['on Tuesday', { date: '2026-03-03', time: undefined }],
    ['tomorrow morning', { date: '2026-03-03', time: undefined }],
    ['at 3 pm', { date: undefined, time: '15:00' }],
    ['some time next week', undefined],
    ['later', undefined],
    ['I have two children and one dog', undefined],
    ['one moment please', undefined],
    ["I'm a bit busy right now. Could you call me back later?", undefined],
    ['yes, that is right', undefined],
    ['', undefined],
  ])('has no more in it than was said: %s', (text, expected) => {
    expect(find(text)).toEqual(expected);
  });

  it('counts days in the time zone of the business', () => {
    const lateEvening = new Date('2026-03-02T23:30:00.000Z');
    expect(find('tomorrow at 9 am', 'Europe/Berlin', lateEvening)?.date).toBe('2026-03-04');
    expect(find('tomorrow at 9 am', 'America/New_York', lateEvening)?.date).toBe('2026-03-03');
  });

  it('never fails, whatever is said', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.lorem()), (text) => void find(text)));
  });
});

describe('wall-clock time', () => {
  it('survives the way there and back, in every zone', () => {
    const zones = fc.constantFrom(
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Auckland',
      'UTC',
    );
    const minutes = fc.integer({ min: 29_000_000, max: 31_000_000 });
    fc.assert(
      fc.property(minutes, zones, (minute, zone) => {
        const local = toLocalTime(new Date(minute * 60_000), zone);
        const back = toInstant(local, zone);
        expect(back && toLocalTime(back, zone)).toBe(local);
      }),
    );
  });

  it('knows that some days and hours do not exist', () => {
    expect(toInstant('2026-02-30T10:00', 'UTC')).toBeUndefined();
    expect(toInstant('2026-13-01T10:00', 'UTC')).toBeUndefined();
    expect(toInstant('2026-03-29T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-03-29T01:30:00.000Z');
    expect(toInstant('2026-10-25T02:30', 'Europe/Berlin')?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  it('is said as people say it', () => {
    expect(speakMoment(new Date('2026-03-24T14:30:00.000Z'), 'Europe/Berlin')).toBe(
      'Tuesday, March 24 at 3:30 PM',
    );
    expect(speakMoment(new Date('2026-03-24T14:00:00.000Z'), 'Europe/Berlin')).toBe(
      'Tuesday, March 24 at 3 PM',
    );
  });
});
