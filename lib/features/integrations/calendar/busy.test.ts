import { expect, it } from 'vitest';
import { readBusy } from './busy.ts';
import { event } from './testing.ts';

const range = { startMs: Date.parse('2026-03-23T00:00:00Z'), endMs: Date.parse('2026-04-06T00:00:00Z') };

function busy(...rows: string[][]): string[] | 'too often' {
  const read = readBusy([event(...rows)], { range, timeZone: 'Europe/Berlin' });
  if (!read.ok) return 'too often';
  return read.busy.map(({ startMs, endMs }) =>
    [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(5, 16)).join('/'),
  );
}

it.each<[string, string[], string[]]>([
  ['in UTC', ['DTSTART:20260324T090000Z', 'DTEND:20260324T100000Z'], ['03-24T09:00/03-24T10:00']],
  [
    'in a zone',
    ['DTSTART;TZID=America/New_York:20260324T090000', 'DURATION:PT45M'],
    ['03-24T13:00/03-24T13:45'],
  ],
  [
    'in a zone with a path in front',
    ['DTSTART;TZID=/freeassociation.sourceforge.net/Europe/London:20260324T090000', 'DURATION:PT1H'],
    ['03-24T09:00/03-24T10:00'],
  ],
  [
    'without a zone, by the calendar’s',
    ['DTSTART:20260324T090000', 'DTEND:20260324T100000'],
    ['03-24T08:00/03-24T09:00'],
  ],
  ['for a whole day', ['DTSTART;VALUE=DATE:20260324'], ['03-23T23:00/03-24T23:00']],
  [
    'for days, over the change of clocks',
    ['DTSTART;VALUE=DATE:20260328', 'DTEND;VALUE=DATE:20260330'],
    ['03-27T23:00/03-29T22:00'],
  ],
  ['marked as free', ['DTSTART:20260324T090000Z', 'DTEND:20260324T100000Z', 'TRANSP:TRANSPARENT'], []],
  ['cancelled', ['DTSTART:20260324T090000Z', 'DTEND:20260324T100000Z', 'STATUS:CANCELLED'], []],
  ['at another time', ['DTSTART:20250324T090000Z', 'DTEND:20250324T100000Z'], []],
  ['that says nothing', ['SUMMARY:no time'], []],
  ['with a broken rule', ['DTSTART:20260324T090000Z', 'RRULE:FREQ=SOMETIMES'], []],
])('an event %s', (_, rows, expected) => expect(busy(rows)).toEqual(expected));

it('what repeats keeps its local time over the change of clocks, and leaves out what was taken out', () => {
  const weekly = ['UID:w', 'DTSTART;TZID=Europe/Berlin:20250107T100000', 'DURATION:PT1H'];
  expect(busy([...weekly, 'RRULE:FREQ=WEEKLY;BYDAY=TU'])).toEqual([
    '03-24T09:00/03-24T10:00',
    '03-31T08:00/03-31T09:00',
  ]);
  const without = 'EXDATE;TZID=Europe/Berlin:20260324T100000';
  expect(busy([...weekly, 'RRULE:FREQ=WEEKLY;BYDAY=TU', without])).toEqual(['03-31T08:00/03-31T09:00']);
  expect(busy([...weekly, 'RRULE:FREQ=WEEKLY;UNTIL=20260325T000000Z'])).toEqual(['03-24T09:00/03-24T10:00']);
  expect(busy([...weekly, 'RDATE:20260402T120000Z'])).toEqual(['04-02T12:00/04-02T13:00']);
});

it('a repetition that was moved or cancelled frees its first time', () => {
  const weekly = [
    'UID:w',
    'DTSTART;TZID=Europe/Berlin:20250107T100000',
    'DURATION:PT1H',
    'RRULE:FREQ=WEEKLY',
  ];
  const moved = ['UID:w', 'RECURRENCE-ID:20260324T090000Z', 'DTSTART:20260325T150000Z', 'DURATION:PT30M'];
  const cancelled = [
    'UID:w',
    'RECURRENCE-ID;TZID=Europe/Berlin:20260331T100000',
    'DTSTART:20260331T080000Z',
    'STATUS:CANCELLED',
  ];
  expect(busy(weekly, moved, cancelled)).toEqual(['03-25T15:00/03-25T15:30']);
});

it('a zone that the document describes itself is taken as it says', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Home',
    'BEGIN:STANDARD',
    'DTSTART:19700101T000000',
    'TZOFFSETFROM:+0500',
    'TZOFFSETTO:+0500',
    'END:STANDARD',
    'END:VTIMEZONE',
  ];
  const document = event(['DTSTART;TZID=Home:20260324T090000', 'DURATION:PT1H']).replace(
    'BEGIN:VEVENT',
    [...zone, 'BEGIN:VEVENT'].join('\r\n'),
  );
  const read = readBusy([document, 'no calendar at all'], { range, timeZone: 'Europe/Berlin' });
  expect(read).toEqual({
    ok: true,
    busy: [{ startMs: Date.parse('2026-03-24T04:00:00Z'), endMs: Date.parse('2026-03-24T05:00:00Z') }],
  });
});

it('an event of every second for ever is told and not counted through', () => {
  expect(busy(['DTSTART:19700101T000000Z', 'RRULE:FREQ=SECONDLY'])).toBe('too often');
});
