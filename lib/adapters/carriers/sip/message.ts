/**
 * A SIP message (RFC 3261, section 7). Header names are in lower case and in their long form; a header that is a list
 * has one value for each of its elements, whether they came in one line or in several.
 */
export type Headers = Map<string, string[]>;

export type SipRequest = {
  kind: 'request';
  method: string;
  uri: string;
  headers: Headers;
  body: string;
};
export type SipResponse = {
  kind: 'response';
  status: number;
  reason: string;
  headers: Headers;
  body: string;
};
export type SipMessage = SipRequest | SipResponse;

/** The longest message; a UDP datagram has no more than this. */
export const MOST_MESSAGE_BYTES = 65_535;
const MOST_HEADER_LINES = 200;
/** Some patterns take time that grows with the square of a value's length. */
const MOST_VALUE_LENGTH = 8_192;

/** Compact forms (RFC 3261, section 7.3.3, and those of later RFCs). */
const LONG_NAMES: Record<string, string> = {
  a: 'accept-contact',
  b: 'referred-by',
  c: 'content-type',
  e: 'content-encoding',
  f: 'from',
  i: 'call-id',
  k: 'supported',
  l: 'content-length',
  m: 'contact',
  o: 'event',
  r: 'refer-to',
  s: 'subject',
  t: 'to',
  u: 'allow-events',
  v: 'via',
  x: 'session-expires',
};

/** Headers whose comma separates elements. In all others it is part of the value. */
const LISTS = new Set([
  'accept',
  'allow',
  'contact',
  'p-asserted-identity',
  'path',
  'proxy-require',
  'record-route',
  'require',
  'route',
  'service-route',
  'supported',
  'unsupported',
  'via',
]);

/** First in a message, in this order; what routes it should be seen first (section 7.3.1). */
const FIRST = ['via', 'route', 'record-route', 'max-forwards', 'from', 'to', 'call-id', 'cseq', 'contact'];
const SPELLING: Record<string, string> = {
  'call-id': 'Call-ID',
  cseq: 'CSeq',
  'min-se': 'Min-SE',
  rack: 'RAck',
  rseq: 'RSeq',
  'www-authenticate': 'WWW-Authenticate',
};

/** The first value of a header. */
export function header(message: { headers: Headers }, name: string): string | undefined {
  return message.headers.get(name)?.[0];
}

/** All values of a header. */
export function headerList(message: { headers: Headers }, name: string): readonly string[] {
  return message.headers.get(name) ?? [];
}

/** Whether a header that lists option tags or methods has this one. */
export function lists(message: { headers: Headers }, name: string, token: string): boolean {
  return headerList(message, name).some((value) => value.toLowerCase() === token.toLowerCase());
}

export type Parsed = { ok: true; message: SipMessage } | { ok: false; reason: string };

/**
 * Reads the start line and the headers, without the body: `parseMessage` and the framing of streams build on it.
 * Never throws.
 */
export function parseHead(head: string): Parsed {
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const message = parseStartLine(lines.shift() ?? '');
  if (!message) return { ok: false, reason: 'no SIP start line' };
  if (lines.length > MOST_HEADER_LINES) return { ok: false, reason: 'too many headers' };
  for (const line of lines) {
    if (line === '') continue;
    const match = /^([\w!%*+.`'~-]{1,128})[ \t]*:/.exec(line);
    const value = line.slice(match?.[0].length).trim();
    if (!match || value.length > MOST_VALUE_LENGTH) return { ok: false, reason: 'a line that is no header' };
    const given = match[1] ?? '';
    const name = LONG_NAMES[given.toLowerCase()] ?? given.toLowerCase();
    const values = LISTS.has(name) ? splitList(value) : [value];
    if (!values) return { ok: false, reason: `an open quote in ${name}` };
    const before = message.headers.get(name);
    if (before) before.push(...values);
    else message.headers.set(name, values);
  }
  return { ok: true, message };
}

/** Reads a datagram. What is after the body is left out. Never throws. */
export function parseMessage(bytes: Buffer): Parsed {
  const end = endOfHead(bytes);
  if (!end) return { ok: false, reason: 'no end of the headers' };
  const parsed = parseHead(bytes.toString('utf8', 0, end.head));
  if (!parsed.ok) return parsed;
  const length = contentLength(parsed.message);
  const rest = bytes.length - end.body;
  if (length !== undefined && !(length <= rest))
    return { ok: false, reason: 'a Content-Length beyond the end' };
  parsed.message.body = bytes.toString('utf8', end.body, end.body + (length ?? rest));
  return parsed;
}

/** The value of Content-Length: undefined where there is none, NaN where it is not a size. */
export function contentLength(message: SipMessage): number | undefined {
  const values = headerList(message, 'content-length');
  if (values.length === 0) return undefined;
  const sizes = values.map((value) => (/^\d{1,9}$/.test(value) ? Number(value) : Number.NaN));
  // Two that differ are an attempt to smuggle a second message.
  return sizes.every((size) => size === sizes[0]) ? sizes[0] : Number.NaN;
}

/** Where the head ends and the body begins; undefined while the empty line is not there. */
export function endOfHead(bytes: Buffer): { head: number; body: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end !== -1) return { head: end, body: end + 4 };
  const bare = bytes.indexOf('\n\n');
  return bare === -1 ? undefined : { head: bare, body: bare + 2 };
}

function parseStartLine(line: string): SipMessage | undefined {
  const response = /^SIP\/2\.0 ([1-6]\d\d)(?: (.*))?$/is.exec(line);
  if (response) {
    const [, status, reason = ''] = response;
    return { kind: 'response', status: Number(status), reason, headers: new Map(), body: '' };
  }
  const request = /^([A-Za-z0-9.!%*_+`'~-]{1,64}) (\S+) SIP\/2\.0$/i.exec(line);
  if (!request) return undefined;
  const [, method = '', uri = ''] = request;
  return { kind: 'request', method, uri, headers: new Map(), body: '' };
}

/** Elements between commas, those in quotes and angle brackets left alone; undefined where a quote stays open. */
function splitList(value: string): string[] | undefined {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  let isBracketed = false;
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '<') isBracketed = true;
    else if (character === '>') isBracketed = false;
    else if (character === ',' && !isBracketed) {
      parts.push(value.slice(start, at).trim());
      start = at + 1;
    }
  }
  if (isQuoted) return undefined;
  parts.push(value.slice(start).trim());
  return parts.filter((part) => part !== '');
}

/** The bytes of a message, its Content-Length counted. */
export function serializeMessage(message: SipMessage): Buffer {
  const lines =
    message.kind === 'request'
      ? [`${message.method} ${message.uri} SIP/2.0`]
      : [`SIP/2.0 ${message.status} ${message.reason}`];
  const rest = [...message.headers.keys()].filter(
    (name) => !FIRST.includes(name) && name !== 'content-length',
  );
  for (const name of [...FIRST, ...rest])
    for (const value of headerList(message, name)) lines.push(`${spell(name)}: ${singleLine(value)}`);
  const body = Buffer.from(message.body, 'utf8');
  lines.push(`Content-Length: ${body.length}`, '', '');
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'utf8'), body]);
}

/** A line break in a value would begin another header. */
const singleLine = (value: string) => value.replace(/[\r\n]+/g, ' ');

const spell = (name: string) =>
  SPELLING[name] ?? name.replace(/(^|-)[a-z]/g, (letters) => letters.toUpperCase());

/** Reasons that this service gives; others are named by their class. */
const REASONS: Record<number, string> = {
  100: 'Trying',
  180: 'Ringing',
  183: 'Session Progress',
  200: 'OK',
  202: 'Accepted',
  400: 'Bad Request',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  415: 'Unsupported Media Type',
  416: 'Unsupported URI Scheme',
  420: 'Bad Extension',
  422: 'Session Interval Too Small',
  480: 'Temporarily Unavailable',
  481: 'Call/Transaction Does Not Exist',
  482: 'Loop Detected',
  483: 'Too Many Hops',
  486: 'Busy Here',
  487: 'Request Terminated',
  488: 'Not Acceptable Here',
  489: 'Bad Event',
  491: 'Request Pending',
  500: 'Server Internal Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
  505: 'Version Not Supported',
  603: 'Decline',
};

/** A response to `request` with what section 8.2.6 copies; `toTag` is added where the request has none. */
export function responseTo(request: SipRequest, status: number, toTag?: string): SipResponse {
  const headers: Headers = new Map();
  for (const name of ['via', 'from', 'to', 'call-id', 'cseq']) {
    const values = request.headers.get(name);
    if (values) headers.set(name, [...values]);
  }
  const to = header(request, 'to') ?? '';
  if (toTag !== undefined && !/;\s*tag\s*=/i.test(to.replace(/^.*>/s, '')))
    headers.set('to', [`${to};tag=${toTag}`]);
  // Proxies on the way stay on the way (section 12.1.1).
  if (request.method === 'INVITE' && status > 100 && status < 300) {
    const route = request.headers.get('record-route');
    if (route) headers.set('record-route', [...route]);
  }
  return { kind: 'response', status, reason: REASONS[status] ?? 'Error', headers, body: '' };
}
