import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { DELETE as CANCEL } from '#app/api/dashboard/integrations/[integrationId]/appointments/[appointmentId]/route.ts';
import { DELETE, GET as DETAIL, PATCH } from '#app/api/dashboard/integrations/[integrationId]/route.ts';
import { POST as REFRESH } from '#app/api/dashboard/integrations/[integrationId]/refresh/route.ts';
import { POST as CREATE } from '#app/api/dashboard/integrations/route.ts';
import { appointments } from '#db/schema/appointments.ts';
import { createSender } from '#lib/outgoing/sender.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { event, startCalendarServer } from '../calendar/testing.ts';
import type { IntegrationDetail } from '../contract.ts';
import { loadWorkspaceTools } from '../repository.ts';
import { createIntegrationUse, type IntegrationUse } from './service.ts';

/** A Monday, nine in the morning in Berlin. */
const NOW = new Date('2026-03-23T08:00:00Z');
const BERLIN = { timeZone: 'Europe/Berlin' };

let runtime: TestRuntime;
let actor: Actor;
let admin: SignedInMember;
let there: Awaited<ReturnType<typeof startCalendarServer>>;
let use: IntegrationUse;

beforeAll(async () => {
  there = await startCalendarServer();
  runtime = await startTestRuntime({ env: { WEBHOOK_ALLOWLIST: '127.0.0.0/8' } });
  actor = await addWorkspace(runtime, 'ws_alpha');
  await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  use = createIntegrationUse({
    ...runtime,
    sender: createSender({ allowlist: ['127.0.0.0/8'] }),
    clock: { ...runtime.clock, now: () => NOW },
  });
});
beforeEach(() => {
  there.events.clear();
  there.instead.clear();
  there.asked.length = 0;
});
afterAll(async () => {
  await there.close();
  await runtime.close();
});

const on = (integrationId: string) => ({ as: admin, params: { integrationId } });
const patch = (id: string, body: object) => callRoute<IntegrationDetail>(PATCH, { ...on(id), body });
const detail = async (id: string) => (await callRoute<IntegrationDetail>(DETAIL, on(id))).data;

async function create(name: string, address = ''): Promise<string> {
  const body = { name, kind: 'calendar', address };
  const made = await callRoute<IntegrationDetail>(CREATE, { as: admin, body });
  expect(made.status).toBe(201);
  await patch(made.data.id, { calendar: { ...BERLIN, slotMinutes: 60 } });
  return made.data.id;
}

/** A calendar on the server, with the password entered and the only calendar chosen. */
async function connect(name: string): Promise<string> {
  const id = await create(name, there.address);
  await patch(id, { calendar: there.user });
  expect((await callRoute(REFRESH, on(id))).status).toBe(200);
  return id;
}

const call = (callId: string) => ({ callId, humanPhoneNumber: parsePhoneNumber('+15550109900') });
const find = (integrationId: string, args: object) =>
  use.useForCall(actor, { integrationId, name: 'find_appointment_slots', arguments: args });
const book = (integrationId: string, time: string, { callId = 'call_1', date = '2026-03-24' } = {}) =>
  use.useForCall(
    actor,
    { integrationId, name: 'book_appointment', arguments: { date, time, topic: 'Cleaning', name: 'Zoë' } },
    call(callId),
  );
const taken = (from: string, until: string) =>
  there.events.set(
    `${there.calendarPath}${from}.ics`,
    event([`UID:${from}`, `DTSTART:${from}`, `DTEND:${until}`]),
  );

it('with a server: lists what is free, refuses what is taken, and writes the event', async () => {
  const id = await connect('Practice');
  expect(await detail(id)).toMatchObject({
    state: 'active',
    toolNames: ['find_appointment_slots', 'book_appointment'],
    calendar: { userName: 'alice', hasPassword: true, calendars: [{ name: 'Work & more' }] },
  });
  taken('20260324T090000Z', '20260324T110000Z');
  const free = await find(id, { date: '2026-03-24' });
  expect(free).toMatchObject({
    ok: true,
    data: { days: [{ date: '2026-03-24', times: ['09:00', '12:00', '13:00', '14:00', '15:00', '16:00'] }] },
  });
  expect(await book(id, '10:00')).toEqual({
    ok: false,
    reason: 'That time is taken.',
    data: {
      days: [
        expect.objectContaining({ date: '2026-03-24' }),
        expect.objectContaining({ date: '2026-03-25' }),
      ],
    },
  });
  expect(there.asked.filter((each) => each.startsWith('PUT'))).toEqual([]);
  expect(await book(id, '12:00')).toMatchObject({
    ok: true,
    data: { startsAt: '2026-03-24T11:00:00.000Z', spoken: 'Tuesday, March 24 at 12 PM' },
  });
  const written = [...there.events.values()].at(-1) ?? '';
  expect(written).toContain('SUMMARY:Cleaning – Zoë');
  expect(written).toContain('DTSTART:20260324T110000Z');
  expect(written).toContain('+15550109900');
  expect(JSON.stringify(await detail(id))).not.toContain('app-password');
});

it(
  'two conversations that want one time at once: one gets it, with and without a server',
  { tags: ['postgres'] },
  async () => {
    for (const id of [await connect('Raced'), await create('Raced here')]) {
      const both = await Promise.all([1, 2, 3].map((each) => book(id, '14:00', { callId: `call_${each}` })));
      expect(both.filter(({ ok }) => ok)).toHaveLength(1);
      expect(both.find(({ ok }) => !ok)).toMatchObject({ reason: 'That time is taken.' });
    }
    expect(there.asked.filter((each) => each.startsWith('PUT'))).toHaveLength(1);
  },
);

it.each([
  ['17:00', '2026-03-24', 'No appointment begins at 5 PM.'],
  ['10:30', '2026-03-24', 'No appointment begins at 10:30 AM.'],
  ['10:00', '2026-03-28', 'Saturday, March 28 is closed.'],
  ['10:00', '2026-03-23', '10 AM is too soon.'],
  ['10:00', '2026-03-20', 'Friday, March 20 is in the past.'],
  ['10:00', '2026-09-01', 'Appointments are made until Friday, May 22.'],
  ['10:00', '2026-02-30', 'There is no such day as 2026-02-30.'],
  ['25:00', '2026-03-24', 'time: must look like 15:30'],
])('never books %s on %s', async (time, date, reason) => {
  const id = await create('Closed');
  expect(await book(id, time, { date })).toMatchObject({ ok: false, reason });
  expect((await detail(id)).calendar?.appointments).toEqual([]);
  await callRoute(DELETE, on(id));
});

it('says how many more times are free than it lists, and lists those that are asked for', async () => {
  const id = await create('Many times');
  await patch(id, { calendar: { slotMinutes: 30 } });
  const date = '2026-03-24';
  const free = await find(id, { date });
  expect(free).toMatchObject({
    data: { days: [{ moreTimes: 4, spoken: expect.stringMatching(/, and 4 more$/) }] },
  });
  const listed = (free as { data: { days: { times: string[] }[] } }).data.days[0]?.times ?? [];
  expect(listed).toHaveLength(12);
  const hidden = ['10:00', '10:30', '11:00'].find((time) => !listed.includes(time));
  expect(hidden).toBeDefined();
  expect(await find(id, { date, from: hidden, until: hidden })).toMatchObject({
    data: { days: [{ date, times: [hidden], spoken: expect.not.stringContaining('more') }] },
  });
  expect(await find(id, { date, from: '09:30', until: '11:00' })).toMatchObject({
    data: { days: [{ times: ['09:30', '10:00', '10:30', '11:00'] }] },
  });
  const late = await find(id, { date, from: '18:00' });
  expect(late).toMatchObject({ data: { note: 'Nothing is free until Thursday, April 23.' } });
});

it.each(['2026-11-31', '2026-13-01', '2026-02-30'])('says that there is no %s', async (date) => {
  const id = await create(`No ${date}`);
  const reason = `There is no such day as ${date}.`;
  expect(await find(id, { date })).toEqual({ ok: false, reason });
  expect(await book(id, '10:00', { date })).toMatchObject({ ok: false, reason });
});

it('says what is free by day and part of day, and why a day has nothing', async () => {
  const id = await create('Parts');
  await patch(id, { calendar: { exceptions: [{ date: '2026-03-25', spans: [] }] } });
  expect(await find(id, { part: 'morning', date: null })).toMatchObject({
    data: {
      days: [
        { date: '2026-03-23', times: ['11:00'], spoken: 'Monday, March 23: 11 AM' },
        { date: '2026-03-24', spoken: 'Tuesday, March 24: 9 AM, 10 AM, and 11 AM' },
        { date: '2026-03-26' },
      ],
    },
  });
  expect(await find(id, { date: '2026-03-25' })).toMatchObject({
    data: { days: [{ date: '2026-03-26' }], note: 'Wednesday, March 25 is closed.' },
  });
  expect(await find(id, { part: 'evening' })).toMatchObject({
    data: { days: [], note: 'Nothing is free until Wednesday, April 22.' },
  });
});

it(
  'without a server: is kept and listed here, told once to who asks twice, and free again once cancelled',
  { tags: ['postgres'] },
  async () => {
    const id = await create('Here');
    expect((await book(id, '11:00')).ok).toBe(true);
    expect((await book(id, '11:00')).ok).toBe(true);
    expect(await book(id, '11:00', { callId: 'call_2' })).toMatchObject({
      ok: false,
      reason: 'That time is taken.',
    });
    const rows = await runtime.db.select().from(appointments);
    const mine = rows.filter(({ integrationId }) => integrationId === id);
    expect(mine).toMatchObject([{ title: 'Cleaning – Zoë', phone: '+15550109900', callId: 'call_1' }]);
    const params = { integrationId: id, appointmentId: mine[0]?.id ?? '' };
    const stranger = await addSignedInMember(runtime, 'ws_beta', 'owner');
    expect((await callRoute(CANCEL, { as: stranger, params })).status).toBe(403);
    expect((await callRoute(CANCEL, { as: admin, params })).status).toBe(200);
    expect((await book(id, '11:00', { callId: 'call_2' })).ok).toBe(true);
  },
);

it.each([
  [401, 'The calendar does not accept the user name and password.'],
  [403, 'The calendar does not allow this user to do that (status 403).'],
  [507, 'The calendar has no room left (status 507).'],
] as const)(
  'a server that answers %i to a booking has failed, and the time stays free',
  async (status, reason) => {
    const id = await connect(`Answers ${status}`);
    there.instead.set('PUT', status);
    const date = `2026-04-0${1 + (status % 3)}`;
    expect(await book(id, '15:00', { date })).toEqual({ ok: false, reason });
    expect(await detail(id)).toMatchObject({ state: 'failing', fault: reason });
    there.instead.clear();
    expect((await book(id, '15:00', { date, callId: 'call_2' })).ok).toBe(true);
    expect((await detail(id)).state).toBe('active');
  },
);

it('cannot be used before a calendar is chosen, and says so', async () => {
  const id = await create('Unchosen', there.address);
  expect(await detail(id)).toMatchObject({ state: 'failing', fault: 'No calendar is chosen yet.' });
  expect(await find(id, {})).toEqual({ ok: false, reason: 'No calendar is chosen yet.' });
});

it('sends its password to one user’s calendars of one server only', async () => {
  const id = await connect('Moving');
  const elsewhere = there.address.replace('127.0.0.1', 'localhost');
  for (const body of [{ address: elsewhere }, { calendar: { userName: 'bob' } }])
    expect((await patch(id, body)).error.message).toContain('calendar.password: has to be entered again');
  const foreign = { calendar: { calendarUrl: 'https://thief.example.com/' } };
  expect((await patch(id, foreign)).error.message).toContain('is no calendar that the server lists');
  const moved = await patch(id, { address: elsewhere, calendar: { password: 'other' } });
  expect(moved.data.calendar).toMatchObject({ calendars: [], calendarUrl: null });
  expect((await callRoute(REFRESH, on(id))).error.message).toContain('does not accept');
});

it.each([
  [{ calendar: { timeZone: 'Mars/Olympus' } }, 'calendar.timeZone: must be an IANA time zone'],
  [{ calendar: { slotMinutes: 0 } }, 'calendar.slotMinutes'],
  [{ calendar: { exceptions: [{ date: '2026-02-30', spans: [] }] } }, 'calendar.exceptions.0.date'],
  [
    { calendar: { exceptions: [{ date: '2026-02-20', spans: [{ from: '12:00', until: '09:00' }] }] } },
    'must end later',
  ],
  [{ tools: [] }, 'tools: is not of an integration of the kind calendar'],
])('refuses %j', async (body, reason) => {
  const id = await create('Wrong');
  const answer = await patch(id, body);
  expect(answer.status).toBe(400);
  expect(answer.error.message).toContain(reason);
});

it('an agent has one calendar: the first that it names', async () => {
  const [first, second] = [await create('First'), await create('Second')];
  const offered = await loadWorkspaceTools(runtime.db, actor.workspaceId, [first, second]);
  expect(offered.workspaceTools.map(({ name, integrationId }) => [name, integrationId])).toEqual([
    ['find_appointment_slots', first],
    ['book_appointment', first],
  ]);
  expect(offered.missingIntegrations).toEqual([{ integrationId: second, reason: 'second_calendar' }]);
});
