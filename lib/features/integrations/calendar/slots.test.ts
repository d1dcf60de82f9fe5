import { describe, expect, it } from 'vitest';
import { DEFAULT_SETTINGS, readSpans, spansFault, titleOf } from './settings.ts';
import { freeSlots, type Interval, localOf, slotsOfDay, type SlotRules } from './slots.ts';

const rules = (change: Partial<SlotRules> = {}): SlotRules => ({
  ...DEFAULT_SETTINGS,
  timeZone: 'Europe/Berlin',
  noticeMinutes: 0,
  ...change,
});
const at = (iso: string) => Date.parse(iso);
const times = (slots: readonly Interval[], zone = 'Europe/Berlin') =>
  slots.map(({ startMs }) => localOf(startMs, zone).time);
const whole = { from: '00:00', until: '24:00' };
const every = {
  mon: [whole],
  tue: [whole],
  wed: [whole],
  thu: [whole],
  fri: [whole],
  sat: [whole],
  sun: [whole],
};

describe('slots of a day', () => {
  it('lie within the hours, by the clock of the calendar', () => {
    const split = [
      { from: '09:00', until: '10:45' },
      { from: '14:00', until: '15:00' },
    ];
    const week = { ...rules().week, tue: split };
    expect(times(slotsOfDay(rules({ week }), '2026-03-24'))).toEqual([
      '09:00',
      '09:30',
      '10:00',
      '14:00',
      '14:30',
    ]);
    expect(slotsOfDay(rules(), '2026-03-22')).toEqual([]);
  });

  it('follow an exception instead of the weekday', () => {
    const exceptions = [
      { date: '2026-12-25', spans: [] },
      { date: '2026-12-26', spans: [{ from: '10:00', until: '11:00' }] },
    ];
    expect(slotsOfDay(rules({ exceptions }), '2026-12-25')).toEqual([]);
    expect(times(slotsOfDay(rules({ exceptions }), '2026-12-26'))).toEqual(['10:00', '10:30']);
  });

  it('are not in the hour that a clock skips, and once in the one that comes twice', () => {
    const all = rules({ week: every, slotMinutes: 60 });
    const spring = slotsOfDay(all, '2026-03-29');
    expect(times(spring).slice(0, 4)).toEqual(['00:00', '01:00', '03:00', '04:00']);
    expect(spring).toHaveLength(23);
    const autumn = slotsOfDay(all, '2026-10-25');
    expect(autumn).toHaveLength(24);
    expect(new Set(autumn.map(({ startMs }) => startMs)).size).toBe(24);
  });
});

describe('free slots', () => {
  const day = { date: '2026-03-24', nowMs: at('2026-03-24T08:10:00Z') };
  const busy = [{ startMs: at('2026-03-24T12:00:00Z'), endMs: at('2026-03-24T12:10:00Z') }];

  it('are neither over, nor sooner than the notice, nor later than the last day', () => {
    expect(times(freeSlots(rules(), { ...day, busy: [] }))[0]).toBe('09:30');
    expect(times(freeSlots(rules({ noticeMinutes: 60 }), { ...day, busy: [] }))[0]).toBe('10:30');
    const ahead = rules({ daysAhead: 7 });
    expect(freeSlots(ahead, { ...day, date: '2026-03-31', busy: [] })).not.toEqual([]);
    expect(freeSlots(ahead, { ...day, date: '2026-04-01', busy: [] })).toEqual([]);
    expect(freeSlots(rules(), { ...day, date: '2026-03-23', busy: [] })).toEqual([]);
  });

  it('keep clear of what is taken, with the buffer on both sides', () => {
    expect(times(freeSlots(rules(), { ...day, busy }))).not.toContain('13:00');
    expect(times(freeSlots(rules(), { ...day, busy }))).toEqual(expect.arrayContaining(['12:30', '13:30']));
    const buffered = times(freeSlots(rules({ bufferMinutes: 25 }), { ...day, busy }));
    expect(buffered).not.toContain('12:30');
    expect(buffered).not.toContain('13:30');
    expect(buffered).toContain('14:00');
  });
});

describe('hours as people type them', () => {
  it.each([
    [
      '9-12:30, 14–18',
      [
        { from: '09:00', until: '12:30' },
        { from: '14:00', until: '18:00' },
      ],
    ],
    ['', []],
    ['closed', []],
    ['08.30 to 24:00', [{ from: '08:30', until: '24:00' }]],
    ['nine to five', undefined],
    ['9:75-10', undefined],
    ['9-25', undefined],
  ])('reads %j', (text, spans) => expect(readSpans(text)).toEqual(spans));

  it('refuses spans that end before they begin, or run into each other', () => {
    expect(spansFault([{ from: '12:00', until: '09:00' }])).toContain('must end later');
    const both = [
      { from: '13:00', until: '15:00' },
      { from: '09:00', until: '13:30' },
    ];
    expect(spansFault(both)).toContain('runs into');
  });
});

it('a title leaves no gap where nobody gave a name, and takes nothing over that is not text', () => {
  const topic = 'Cleaning';
  expect(titleOf('{{topic}} – {{name}}', { topic, name: 'Zoë', phone: undefined })).toBe('Cleaning – Zoë');
  expect(titleOf('{{topic}} – {{name}}', { topic, name: undefined, phone: undefined })).toBe('Cleaning');
  expect(titleOf('{{name}}', { topic, name: undefined, phone: undefined })).toBe('Appointment');
  expect(titleOf('{{name}}', { topic, name: 'A\r\nATTENDEE:x{{topic}}', phone: undefined })).toBe(
    'A ATTENDEE:x{{topic}}',
  );
});
