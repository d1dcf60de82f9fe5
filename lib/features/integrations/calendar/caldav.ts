import { calendarQuery, createCalendarObject, type DAVResponse, propfind, serviceDiscovery } from 'tsdav';
import { createOutgoingFetch } from '#lib/outgoing/fetch.ts';
import type { Sender } from '#lib/outgoing/sender.ts';
import { asRecord } from '../http/argument-schema.ts';
import { CALENDAR_LIMITS } from './settings.ts';
import type { Interval } from './slots.ts';

/** A server that speaks CalDAV (RFC 4791), with what it wants to be asked with. */
export type CalendarServer = {
  sender: Sender;
  address: string;
  headers: Record<string, string>;
  timeoutMs: number;
};

/** One calendar of a server, as people choose it. */
export type ListedCalendar = { url: string; name: string };

type Failed = { ok: false; reason: string };

export const CALDAV_TIMEOUT_MS = 8000;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** Servers read times without a zone, and whole days, by a zone of their own. */
const ZONES_APART_MS = 86_400_000;

/** The calendars to which this user may add events. */
export async function listCalendars(
  server: CalendarServer,
): Promise<{ ok: true; calendars: ListedCalendar[] } | Failed> {
  return attempt(server, async (asked) => {
    const home = await findHome(server, asked);
    const props = {
      'd:displayname': {},
      'd:resourcetype': {},
      'd:current-user-privilege-set': {},
      'c:supported-calendar-component-set': {},
    };
    const found = await propfind({ ...asked, url: home, depth: '1', props });
    const calendars = found.filter(isWritableCalendar).map((each) => ({
      url: withSlash(new URL(each.href ?? '', home).href),
      name: nameOf(each),
    }));
    return { ok: true, calendars: calendars.slice(0, CALENDAR_LIMITS.calendars) };
  });
}

/** The events of a calendar that touch a range, as the documents in which it keeps them. */
export async function readEvents(
  server: CalendarServer,
  { calendarUrl, range }: { calendarUrl: string; range: Interval },
): Promise<{ ok: true; documents: string[] } | Failed> {
  const within = {
    start: stampOf(range.startMs - ZONES_APART_MS),
    end: stampOf(range.endMs + ZONES_APART_MS),
  };
  return attempt(server, async (asked) => {
    const found = await calendarQuery({
      ...asked,
      url: calendarUrl,
      depth: '1',
      props: { 'd:getetag': {}, 'c:calendar-data': {} },
      filters: {
        'comp-filter': {
          _attributes: { name: 'VCALENDAR' },
          'comp-filter': { _attributes: { name: 'VEVENT' }, 'time-range': { _attributes: within } },
        },
      },
    });
    const documents = found.map(({ props }) => textOf(props?.['calendarData']));
    if (!documents.every((document) => document !== undefined)) throw new CalendarFailure(NO_CALDAV, 207);
    return { ok: true, documents };
  });
}

/** Writes a new event. `isUnknown`: nobody knows whether it was written. */
export async function addEvent(
  server: CalendarServer,
  event: { calendarUrl: string; filename: string; iCalString: string },
): Promise<{ ok: true } | (Failed & { isUnknown: boolean })> {
  const { calendarUrl, ...object } = event;
  const written = await attempt(server, async (asked) => {
    await createCalendarObject({ ...asked, calendar: { url: calendarUrl }, ...object });
    return { ok: true };
  });
  if (written.ok) return written;
  return { ok: false, reason: written.reason, isUnknown: written.status === undefined };
}

/** Whether an event is at its place: after an answer that never came. */
export async function hasEvent(
  server: CalendarServer,
  { calendarUrl, filename }: { calendarUrl: string; filename: string },
): Promise<boolean> {
  const url = new URL(filename, withSlash(calendarUrl)).href;
  const found = await attempt(server, async ({ fetch, headers }) => {
    await fetch(url, { method: 'GET', headers });
    return { ok: true };
  });
  return found.ok;
}

/** What every request of the library takes: our way out, and what the server wants to see. */
type Asked = { headers: Record<string, string>; fetch: typeof fetch };

/** The library turns every failure into words of its own, or into nothing: what happened is kept here. */
class CalendarFailure extends Error {
  readonly status: number | undefined;
  constructor(reason: string, status: number | undefined) {
    super(reason);
    this.status = status;
  }
}

async function attempt<Result extends { ok: true }>(
  server: CalendarServer,
  work: (asked: Asked) => Promise<{ [Key in keyof Result]: Result[Key] }>,
): Promise<{ [Key in keyof Result]: Result[Key] } | (Failed & { status?: number })> {
  const outgoing = createOutgoingFetch(server.sender, {
    budgetMs: server.timeoutMs,
    maxAnswerBytes: MAX_ANSWER_BYTES,
  });
  let failure: CalendarFailure | undefined;
  const guarded = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    try {
      const url = input instanceof Request ? input.url : input;
      assertSameOrigin(server, url);
      const response = await outgoing(url, init ?? {});
      // Read here, so that an answer that breaks off fails here and not in the library.
      const body = await response.text();
      const { status, headers } = response;
      const isRedirect = status >= 300 && status < 400 && init?.redirect === 'manual';
      if (status >= 300 && !isRedirect) throw new CalendarFailure(describeStatus(status), status);
      // What is no list of resources, like a page for signing in, would be read as a calendar without events.
      const isAsked = ['PROPFIND', 'REPORT'].includes(init?.method ?? '');
      if (isAsked && !isRedirect && (status !== 207 || body.trim() === ''))
        throw new CalendarFailure(NO_CALDAV, status);
      return new Response(status === 204 || status === 304 ? null : body, { status, headers });
    } catch (error) {
      failure = error instanceof CalendarFailure ? error : new CalendarFailure(sentenceOf(error), undefined);
      throw failure;
    }
  };
  try {
    return await work({ headers: server.headers, fetch: guarded });
  } catch (error) {
    const { message, status } =
      failure ?? (error instanceof CalendarFailure ? error : new CalendarFailure(NO_CALDAV, 200));
    return { ok: false, reason: message, ...(status === undefined ? {} : { status }) };
  }
}

/** Servers name other places in their answers; the password was entered for this one only. */
function assertSameOrigin({ address }: CalendarServer, url: string | URL): void {
  const { origin } = new URL(url);
  if (origin === new URL(address).origin) return;
  throw new CalendarFailure(`The server says that its calendars are at ${origin}: enter that address.`, 200);
}

const NO_CALDAV = 'The server does not speak CalDAV at this address.';

/** Where the user's calendars are: by the address itself, else by the place that the server names for everybody. */
async function findHome(server: CalendarServer, asked: Asked): Promise<string> {
  const direct = await principalAt(server.address, asked).catch((error: unknown) => {
    const isElsewhere =
      error instanceof CalendarFailure &&
      [200, 301, 302, 307, 308, 404, 405, 501].includes(error.status ?? 0);
    if (!isElsewhere) throw error;
    return undefined;
  });
  const principal = direct ?? (await principalAt(await wellKnown(server, asked), asked));
  if (principal === undefined) throw new CalendarFailure(NO_CALDAV, 200);
  const [found] = await propfind({
    ...asked,
    url: principal,
    depth: '0',
    props: { 'c:calendar-home-set': {} },
  });
  const home = hrefOf(found?.props?.['calendarHomeSet']);
  if (home === undefined) throw new CalendarFailure('The server has no calendars for this user.', 200);
  return withSlash(new URL(home, principal).href);
}

async function principalAt(url: string, asked: Asked): Promise<string | undefined> {
  const props = { 'd:current-user-principal': {} };
  const [found] = await propfind({ ...asked, url: withSlash(url), depth: '0', props });
  const href = found?.ok === true ? hrefOf(found.props?.['currentUserPrincipal']) : undefined;
  return href === undefined ? undefined : new URL(href, url).href;
}

/** RFC 6764 */
async function wellKnown({ address }: CalendarServer, asked: Asked): Promise<string> {
  return serviceDiscovery({ ...asked, account: { serverUrl: address, accountType: 'caldav' } });
}

function isWritableCalendar({ props }: DAVResponse): boolean {
  if (!('calendar' in (asRecord(props?.['resourcetype']) ?? {}))) return false;
  const components = listOf(asRecord(props?.['supportedCalendarComponentSet'])?.['comp']).map(
    (each) => asRecord(asRecord(each)?.['_attributes'])?.['name'],
  );
  const privileges = listOf(asRecord(props?.['currentUserPrivilegeSet'])?.['privilege']).flatMap((each) =>
    Object.keys(asRecord(each) ?? {}),
  );
  const mayWrite = privileges.some((name) => ['all', 'write', 'writeContent', 'bind'].includes(name));
  return (components.length === 0 || components.includes('VEVENT')) && (privileges.length === 0 || mayWrite);
}

function nameOf({ props, href = '' }: DAVResponse): string {
  const name = textOf(props?.['displayname'])?.trim() ?? '';
  const last = decodeURIComponent(href.split('/').findLast((part) => part !== '') ?? 'Calendar');
  return (name === '' ? last : name).slice(0, 200).toWellFormed();
}

function hrefOf(value: unknown): string | undefined {
  return textOf(listOf(asRecord(value)?.['href'])[0]);
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  const cdata = asRecord(value)?.['_cdata'];
  return typeof cdata === 'string' ? cdata : undefined;
}

function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function withSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}

/** `20260324T090000Z` */
function stampOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`;
}

function describeStatus(status: number): string {
  if (status === 401) return 'The calendar does not accept the user name and password.';
  if (status === 403) return 'The calendar does not allow this user to do that (status 403).';
  if (status === 404) return 'The calendar is not there (status 404).';
  if (status === 507) return 'The calendar has no room left (status 507).';
  return `The calendar answered with status ${status}.`;
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  return /^(?:The|No) .{0,300}\.$/.test(message) ? message : 'The calendar cannot be reached.';
}
