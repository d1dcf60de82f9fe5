import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A calendar's document with some events, each by its rows. */
export function event(...events: string[][]): string {
  const rows = events.flatMap((each) => ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...each, 'END:VEVENT']);
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test', ...rows, 'END:VCALENDAR', ''].join('\r\n');
}

/** A CalDAV server of one user with one calendar, as far as it is spoken to: PROPFIND, REPORT, PUT once, GET. */
export async function startCalendarServer() {
  /** Documents by the path at which they lie. */
  const events = new Map<string, string>();
  /** What is answered instead, by method; `silent`: nothing at all. */
  const instead = new Map<string, number | 'silent' | 'page' | 'write and be silent'>();
  const asked: string[] = [];
  const server = createServer((request, response) => void answer(request, response));

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url}`);
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    const fault = instead.get(method);
    if (headers.authorization !== EXPECTED) return void response.writeHead(401).end();
    if (fault === 'write and be silent') events.set(url, body);
    if (fault === 'silent' || fault === 'write and be silent') return;
    if (fault === 'page')
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
    if (fault !== undefined) return void response.writeHead(fault).end();
    if (method === 'PROPFIND') return multistatus(response, propertiesOf(url));
    if (method === 'REPORT')
      return multistatus(
        response,
        [...events].map(([href, text]) => found(href, `<c:calendar-data>${escape(text)}</c:calendar-data>`)),
      );
    if (method === 'GET') return void response.writeHead(events.has(url) ? 200 : 404).end(events.get(url));
    if (method === 'PUT' && headers['if-none-match'] === '*' && events.has(url))
      return void response.writeHead(412).end();
    events.set(url, body);
    response.writeHead(201).end();
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    user: { userName: 'alice', password: 'app-password' },
    calendarPath: CALENDAR,
    events,
    instead,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const EXPECTED = `Basic ${Buffer.from('alice:app-password').toString('base64')}`;
const CALENDAR = '/dav/alice/work/';

function propertiesOf(url: string): string[] {
  if (url === '/')
    return [found('/', '<d:current-user-principal><d:href>/dav/alice/</d:href></d:current-user-principal>')];
  if (url === '/dav/alice/')
    return [
      found(
        url,
        '<c:calendar-home-set><d:href>/dav/alice/</d:href></c:calendar-home-set><d:resourcetype><d:collection/></d:resourcetype>',
      ),
      found(
        CALENDAR,
        '<d:displayname>Work &amp; more</d:displayname><d:resourcetype><d:collection/><c:calendar/></d:resourcetype>',
      ),
      found(
        '/dav/alice/holidays/',
        '<d:displayname>Holidays</d:displayname><d:resourcetype><c:calendar/></d:resourcetype><d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>',
      ),
    ];
  return [];
}

function found(href: string, properties: string): string {
  return `<d:response><d:href>${href}</d:href><d:propstat><d:prop>${properties}</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>`;
}

function multistatus(response: ServerResponse, responses: string[]): void {
  const head = '<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">';
  response
    .writeHead(207, { 'content-type': 'application/xml' })
    .end(`${head}${responses.join('')}</d:multistatus>`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
