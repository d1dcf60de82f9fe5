import { describe, expect, it } from 'vitest';
import { type CallingHours, plannedStart, WEEKDAYS } from './calling-hours.ts';
import { commonHours } from './common-hours.ts';
import { fromStoredHours, toStoredHours } from './stored-hours.ts';
import { zonesOfNumber } from './zones-of-number.ts';

const OFFICE: CallingHours = {
  isOn: true,
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '09:00',
  to: '18:00',
};
const NEW_YORK = '+12125550100';
const BERLIN = '+4930901820';

/** When a number may be called, asked for at `at`, as an ISO text; null: at once. */
function start(number: string, at: string, hours = OFFICE, workspaceZone = 'Europe/Berlin') {
  const now = new Date(at);
  const { notBefore, timeZone } = plannedStart({ number, hours: [hours], workspaceZone, dueAt: now, now });
  return notBefore === null ? null : [notBefore.toISOString(), timeZone];
}

describe('the zones of a number', () => {
  it.each([
    [NEW_YORK, ['America/New_York']],
    ['+13125550100', ['America/Chicago']],
    ['+18085550100', ['Pacific/Honolulu']],
    [BERLIN, ['Europe/Berlin']],
    ['+442071838750', ['Europe/London']],
    ['+61293744000', ['Australia/Sydney']],
  ])('%s is in %j', (number, zones) => {
    expect(zonesOfNumber(number)).toEqual(zones);
  });

  it('are all of the country where the area code does not tell', () => {
    expect(zonesOfNumber('+79161234567').length).toBeGreaterThanOrEqual(1);
    expect(zonesOfNumber('+18005550100').length).toBeGreaterThan(10);
    expect(zonesOfNumber('anonymous')).toEqual([]);
  });
});

describe('calling hours', () => {
  it('let a call go at once while it is day where the person is, whatever the clock of the workspace shows', () => {
    expect(start(NEW_YORK, '2026-11-16T20:00:00Z')).toBeNull();
    expect(start(BERLIN, '2026-11-16T08:00:00Z')).toBeNull();
  });

  it('keep a call until the next opening, over the night and over the weekend', () => {
    expect(start(NEW_YORK, '2026-11-16T13:59:00Z')).toEqual(['2026-11-16T14:00:00.000Z', 'America/New_York']);
    expect(start(NEW_YORK, '2026-11-16T23:00:00Z')).toEqual(['2026-11-17T14:00:00.000Z', 'America/New_York']);
    expect(start(BERLIN, '2026-11-20T17:00:00Z')).toEqual(['2026-11-23T08:00:00.000Z', 'Europe/Berlin']);
  });

  it('follow the change of clocks', () => {
    // 8 March 2026: New York goes from UTC-5 to UTC-4.
    const everyDay = { ...OFFICE, days: [...WEEKDAYS] };
    expect(start(NEW_YORK, '2026-03-07T23:30:00Z', everyDay)?.[0]).toBe('2026-03-08T13:00:00.000Z');
    expect(start(NEW_YORK, '2026-10-31T23:30:00Z', everyDay)?.[0]).toBe('2026-11-01T14:00:00.000Z');
    // 02:30 does not exist on that day: it opens when clocks show 03:30.
    const early = { ...everyDay, from: '02:30', to: '24:00' };
    expect(start(NEW_YORK, '2026-03-08T06:00:00Z', early)?.[0]).toBe('2026-03-08T07:30:00.000Z');
  });

  it('end at midnight with 24:00, and begin with 00:00', () => {
    const late = { ...OFFICE, from: '00:00', to: '24:00' };
    expect(start(BERLIN, '2026-11-20T22:59:00Z', late)).toBeNull();
    expect(start(BERLIN, '2026-11-20T23:00:00Z', late)?.[0]).toBe('2026-11-22T23:00:00.000Z');
  });

  it('need every zone open where the person may be in several', () => {
    // Idaho is in two: nine o'clock there is nine in Los Angeles, and eighteen is eighteen in Boise.
    const idaho = '+12085500100';
    expect(zonesOfNumber(idaho).length).toBe(2);
    expect(start(idaho, '2026-11-16T16:30:00Z')).toEqual(['2026-11-16T17:00:00.000Z', 'America/Los_Angeles']);
    expect(start(idaho, '2026-11-17T01:30:00Z')?.[0]).toBe('2026-11-17T17:00:00.000Z');
  });

  it('go by the clock of the workspace where zones are never open together, or none is known', () => {
    for (const number of ['+15550109900', '+18005550100', 'web'])
      expect(start(number, '2026-11-16T05:00:00Z')).toEqual(['2026-11-16T08:00:00.000Z', 'Europe/Berlin']);
  });

  it('are asked from the moment on for which a call is due', () => {
    const now = new Date('2026-11-16T15:00:00Z');
    const plan = (dueAt: string, hours = OFFICE) =>
      plannedStart({ number: NEW_YORK, hours: [hours], workspaceZone: 'UTC', dueAt: new Date(dueAt), now });
    expect(plan('2026-11-16T16:00:00Z')).toEqual({
      notBefore: new Date('2026-11-16T16:00:00Z'),
      timeZone: null,
    });
    expect(plan('2026-11-17T02:00:00Z')).toEqual({
      notBefore: new Date('2026-11-17T14:00:00Z'),
      timeZone: 'America/New_York',
    });
    const off = { ...OFFICE, isOn: false };
    expect(plan('2026-11-17T02:00:00Z', off).notBefore).toEqual(new Date('2026-11-17T02:00:00Z'));
    expect(plan('2026-11-16T02:00:00Z', off).notBefore).toBeNull();
  });

  it('over midnight belong to the day on which they begin', () => {
    const hours: CallingHours = { ...OFFICE, days: ['fri'], from: '22:00', to: '02:00' };
    // Friday is 20 November; Berlin is an hour ahead of UTC.
    expect(start(BERLIN, '2026-11-20T20:59:00Z', hours)?.[0]).toBe('2026-11-20T21:00:00.000Z');
    expect(start(BERLIN, '2026-11-20T23:30:00Z', hours)).toBeNull();
    expect(start(BERLIN, '2026-11-21T00:59:00Z', hours)).toBeNull();
    expect(start(BERLIN, '2026-11-21T01:00:00Z', hours)?.[0]).toBe('2026-11-27T21:00:00.000Z');
    expect(start(BERLIN, '2026-11-20T00:30:00Z', hours)?.[0]).toBe('2026-11-20T21:00:00.000Z');
  });

  it('may be other ones on single days', () => {
    const hours: CallingHours = {
      ...OFFICE,
      days: ['fri', 'sat'],
      perDay: { sat: { from: '11:00', to: '13:00' }, sun: { from: '08:00', to: '20:00' } },
    };
    expect(start(BERLIN, '2026-11-20T08:00:00Z', hours)).toBeNull();
    expect(start(BERLIN, '2026-11-21T08:00:00Z', hours)?.[0]).toBe('2026-11-21T10:00:00.000Z');
    expect(start(BERLIN, '2026-11-21T12:00:00Z', hours)?.[0]).toBe('2026-11-27T08:00:00.000Z');
  });

  it('of two are kept both, also where their nights meet in the morning', () => {
    const night: CallingHours = { ...OFFICE, days: ['mon'], from: '22:00', to: '07:00' };
    const early: CallingHours = { ...OFFICE, days: ['tue'], from: '05:00', to: '09:00' };
    const now = new Date('2026-11-16T08:00:00Z');
    const both = commonHours(night, early) ?? [];
    expect(both).toHaveLength(2);
    const call = { number: BERLIN, hours: both, workspaceZone: 'UTC', dueAt: now, now };
    expect(plannedStart(call).notBefore).toEqual(new Date('2026-11-17T04:00:00Z'));
    expect(commonHours(night, { ...early, days: ['thu'] })).toBeNull();
    expect(commonHours(night, null)).toEqual([night]);
    expect(commonHours({ ...night, isOn: false }, early)).toEqual([early]);
  });

  it('are stored so that a process of the version before calls in a part of them at most', () => {
    expect(toStoredHours(OFFICE)).toEqual(OFFICE);
    expect(fromStoredHours(OFFICE)).toEqual(OFFICE);
    const night: CallingHours = { ...OFFICE, from: '22:00', to: '02:00' };
    expect(toStoredHours(night)).toEqual({ ...OFFICE, from: '22:00', to: '24:00', all: night });
    expect(fromStoredHours(toStoredHours(night))).toEqual(night);
    const saturday = {
      ...OFFICE,
      days: ['sat', 'mon', 'tue'],
      perDay: { sat: { from: '10:00', to: '12:00' } },
    };
    const stored = toStoredHours(saturday as CallingHours);
    expect(stored).toMatchObject({ days: ['mon', 'tue'], from: '09:00', to: '18:00' });
    expect(fromStoredHours(stored)).toEqual(saturday);
  });

  it('answer from what was found before as from the beginning', () => {
    const at = (hour: number) =>
      `2026-11-${hour < 24 ? 16 : 17}T${String(hour % 24).padStart(2, '0')}:15:00Z`;
    const hours = Array.from({ length: 48 }, (_, hour) => hour);
    const inOrder = hours.map((hour) => start(NEW_YORK, at(hour)));
    const backwards = hours.toReversed().map((hour) => start(NEW_YORK, at(hour)));
    expect(backwards.toReversed()).toEqual(inOrder);
  });
});
