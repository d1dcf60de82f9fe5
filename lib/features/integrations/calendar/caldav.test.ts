import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createSender } from '#lib/outgoing/sender.ts';
import { addEvent, hasEvent, listCalendars, readEvents } from './caldav.ts';
import { startServer } from '../testing.ts';
import { event, startCalendarServer } from './testing.ts';

let there: Awaited<ReturnType<typeof startCalendarServer>>;
beforeAll(async () => void (there = await startCalendarServer()));
beforeEach(() => {
  there.events.clear();
  there.instead.clear();
});
afterAll(() => there.close());

const server = (change: { password?: string; allowlist?: string[]; timeoutMs?: number } = {}) => {
  const { password = there.user.password, allowlist = ['127.0.0.0/8'], timeoutMs = 2000 } = change;
  const authorization = `Basic ${Buffer.from(`alice:${password}`).toString('base64')}`;
  return {
    address: there.address,
    headers: { authorization },
    sender: createSender({ allowlist }),
    timeoutMs,
  };
};
const calendarUrl = () => `${there.address}${there.calendarPath}`;
const range = { startMs: Date.UTC(2026, 2, 23), endMs: Date.UTC(2026, 3, 6) };
const read = (given = server()) => readEvents(given, { calendarUrl: calendarUrl(), range });
const add = (given = server()) =>
  addEvent(given, { calendarUrl: calendarUrl(), filename: 'a.ics', iCalString: event([]) });

it('finds the calendars to which the user may add events', async () => {
  expect(await listCalendars(server())).toEqual({
    ok: true,
    calendars: [{ url: calendarUrl(), name: 'Work & more' }],
  });
});

it('writes an event once, and reads it', async () => {
  expect(await read()).toEqual({ ok: true, documents: [] });
  expect(await add()).toEqual({ ok: true });
  expect(await add()).toMatchObject({ ok: false, isUnknown: false });
  expect(await read()).toMatchObject({ ok: true, documents: [expect.stringContaining('BEGIN:VEVENT')] });
});

it('knows whether an event was written whose answer got lost', async () => {
  there.instead.set('PUT', 'write and be silent');
  expect(await add(server({ timeoutMs: 150 }))).toMatchObject({ ok: false, isUnknown: true });
  expect(await hasEvent(server(), { calendarUrl: calendarUrl(), filename: 'a.ics' })).toBe(true);
  expect(await hasEvent(server(), { calendarUrl: calendarUrl(), filename: 'b.ics' })).toBe(false);
});

it.each([
  [401, 'The calendar does not accept the user name and password.'],
  [403, 'The calendar does not allow this user to do that (status 403).'],
  [404, 'The calendar is not there (status 404).'],
  [507, 'The calendar has no room left (status 507).'],
  [301, 'The calendar answered with status 301.'],
  ['page', 'The server does not speak CalDAV at this address.'],
  [200, 'The server does not speak CalDAV at this address.'],
  ['silent', 'No complete answer came within 0.15 seconds.'],
] as const)('an answer of %s is no empty calendar, but a sentence', async (fault, reason) => {
  there.instead.set('REPORT', fault);
  expect(await read(server({ timeoutMs: 150 }))).toMatchObject({ ok: false, reason });
});

it('is refused where the password is wrong, or the address is private', async () => {
  expect(await listCalendars(server({ password: 'wrong' }))).toMatchObject({
    ok: false,
    reason: 'The calendar does not accept the user name and password.',
  });
  expect(await listCalendars(server({ allowlist: [] }))).toMatchObject({
    ok: false,
    reason: expect.stringContaining('The address is refused'),
  });
});

it.each(['d:current-user-principal', 'c:calendar-home-set'])(
  'sends the password to no other server, whatever stands in its %s',
  async (named) => {
    const attacker = await startServer((_, response) => response.writeHead(404).end());
    const hrefs = ['d:current-user-principal', 'c:calendar-home-set'].map((property) => {
      const href = property === named ? `${attacker.address}/dav/` : '/dav/';
      return `<${property}><d:href>${href}</d:href></${property}>`;
    });
    const body = `<d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"><d:response><d:href>/</d:href><d:propstat><d:prop>${hrefs.join('')}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response></d:multistatus>`;
    const lying = await startServer((_, response) =>
      response.writeHead(207, { 'content-type': 'application/xml' }).end(body),
    );
    expect(await listCalendars({ ...server(), address: lying.address })).toMatchObject({
      ok: false,
      reason: `The server says that its calendars are at ${attacker.address}: enter that address.`,
    });
    expect(attacker.asked).toEqual([]);
    await Promise.all([attacker.close(), lying.close()]);
  },
);

it('asks no calendar of another server, although it was chosen once', async () => {
  const attacker = await startServer((_, response) => response.writeHead(207).end());
  const elsewhere = { calendarUrl: `${attacker.address}/dav/work/`, range };
  expect(await readEvents(server(), elsewhere)).toMatchObject({ ok: false });
  expect(await addEvent(server(), { ...elsewhere, filename: 'a.ics', iCalString: event([]) })).toMatchObject({
    ok: false,
    isUnknown: false,
  });
  expect(await hasEvent(server(), { ...elsewhere, filename: 'a.ics' })).toBe(false);
  expect(attacker.asked).toEqual([]);
  await attacker.close();
});
