import { isIPv6 } from 'node:net';
import { header, type SipMessage, type SipRequest } from './message.ts';

/** What stands inside of header values (RFC 3261, section 25). Readers give undefined for what they cannot read. */
export type Params = Map<string, string>;

export type SipUri = {
  scheme: 'sip' | 'sips';
  user: string | undefined;
  host: string;
  port: number | undefined;
  params: Params;
};

export type NameAddr = { displayName: string; uri: string; params: Params };

export type Via = {
  protocol: string;
  host: string;
  port: number | undefined;
  params: Params;
};

/** A host as it stands in URIs: a name, IPv4, or IPv6 in brackets. */
const HOST = String.raw`(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)`;
const URI = new RegExp(
  String.raw`^(sips?):(?:([^@\s<>"]*?)(?::[^@\s<>"]*)?@)?${HOST}(?::(\d{1,5}))?((?:;[^;?\s<>"]*)*)(?:\?[^\s<>"]*)?$`,
  'i',
);
const VIA = new RegExp(
  String.raw`^SIP\s*/\s*2\.0\s*/\s*([A-Za-z]+)\s+${HOST}(?:\s*:\s*(\d{1,5}))?\s*((?:;.*)?)$`,
  'is',
);

/** Words may hold brackets and quotes (section 25.1, `callid`). */
const CALL_ID = /^[^\s\p{Cc}]{1,256}$/u;

/** Max-Forwards is one byte (RFC 3261, section 20.22). */
const MOST_HOPS = 255;
/** Longer ones are nobody's, and matching takes time that grows with the square of the length. */
const MOST_URI_LENGTH = 1_024;

export function parseUri(text: string): SipUri | undefined {
  const match = text.length > MOST_URI_LENGTH ? null : URI.exec(text);
  if (!match) return undefined;
  const [, scheme = '', user, host = '', port, params = ''] = match;
  const portNumber = port === undefined ? undefined : Number(port);
  if (portNumber !== undefined && (portNumber < 1 || portNumber > 65_535)) return undefined;
  return {
    scheme: scheme.toLowerCase() === 'sips' ? 'sips' : 'sip',
    user: user === undefined ? undefined : unescapePercent(user),
    host: host.toLowerCase(),
    port: portNumber,
    params: parseParams(params),
  };
}

/** `"Name" <uri>;params`, `Name <uri>;params` or a bare `uri;params`, whose parameters are then the header's. */
export function parseNameAddr(value: string): NameAddr | undefined {
  const named = /^("(?:[^"\\]|\\.)*"\s*|[^"<>]*)<([^<>]+)>(.*)$/s.exec(value);
  if (named) {
    const [name = '', uri = '', params = ''] = named.slice(1).map((part) => part.trim());
    if (uri === '' || /\s/.test(uri) || (params !== '' && !params.startsWith(';'))) return undefined;
    return { displayName: unquote(name), uri, params: parseParams(params) };
  }
  // One with a question mark or a comma has to stand in brackets (section 20.10).
  const bare = /^([A-Za-z][A-Za-z0-9+.-]*:[^\s<>;"?,]+)\s*((?:;.*)?)$/s.exec(value);
  if (!bare) return undefined;
  const [, uri = '', params = ''] = bare;
  return { displayName: '', uri, params: parseParams(params) };
}

export function parseVia(value: string): Via | undefined {
  const match = VIA.exec(value);
  if (!match) return undefined;
  const [, protocol = '', host = '', port, params = ''] = match;
  return {
    protocol: protocol.toUpperCase(),
    host: host.toLowerCase(),
    port: port === undefined ? undefined : Number(port),
    params: parseParams(params),
  };
}

export function formatVia({ protocol, host, port, params }: Via): string {
  const rest = [...params].map(([name, value]) => (value === '' ? `;${name}` : `;${name}=${value}`)).join('');
  return `SIP/2.0/${protocol} ${host}${port === undefined ? '' : `:${port}`}${rest}`;
}

export function parseCSeq(value: string): { seq: number; method: string } | undefined {
  const match = /^(\d{1,10})\s+([A-Za-z0-9.!%*_+`'~-]+)$/.exec(value);
  if (!match) return undefined;
  const seq = Number(match[1]);
  return seq < 2 ** 31 ? { seq, method: match[2] ?? '' } : undefined;
}

/** `;name=value;flag`; names in lower case, a flag's value is empty. */
export function parseParams(text: string): Params {
  const params: Params = new Map();
  for (const match of text.matchAll(/;\s*([^\s=;]+)(?:\s*=\s*("(?:[^"\\]|\\.)*"|[^;]*))?/gs)) {
    const [, name = '', value = ''] = match;
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), unquote(value.trim()));
  }
  return params;
}

/** `name="value", name=value`, of challenges. */
export function parseAuthParams(text: string): Params {
  const params: Params = new Map();
  for (const [, name = '', value = ''] of text.matchAll(
    /([A-Za-z0-9_-]+)\s*=\s*("(?:[^"\\]|\\.)*"|[^\s,]*)/g,
  ))
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), unquote(value));
  return params;
}

/** An address as it stands in a URI or a Via. */
export const hostOf = (address: string) => (isIPv6(address) ? `[${address}]` : address);
/** The reverse: without the brackets. */
export const bareHost = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

export const tagOf = (value: string | undefined) =>
  value === undefined ? undefined : parseNameAddr(value)?.params.get('tag');

const unquote = (text: string) => (/^".*"$/s.test(text) ? text.slice(1, -1).replace(/\\(.)/gs, '$1') : text);

/** As it was written where it stands for what nobody can type: no control character leaves here. */
function unescapePercent(text: string): string {
  try {
    const plain = decodeURIComponent(text);
    return /\p{Cc}/u.test(plain) ? text : plain;
  } catch {
    return text;
  }
}

/** The parts of a message by which everything else finds its way. */
export type Essentials = {
  via: Via;
  branch: string | undefined;
  callId: string;
  fromTag: string | undefined;
  toTag: string | undefined;
  seq: number;
  cseqMethod: string;
};

/**
 * What every message must have (section 8.1.1), or the reason why it is none that can be worked with. Never throws.
 */
export function readEssentials(
  message: SipMessage,
): { ok: true; essentials: Essentials } | { ok: false; reason: string } {
  for (const name of ['from', 'to', 'call-id', 'cseq'])
    if ((message.headers.get(name)?.length ?? 0) !== 1) return { ok: false, reason: `not one ${name}` };
  const via = parseVia(header(message, 'via') ?? '');
  if (!via) return { ok: false, reason: 'no readable Via' };
  const from = parseNameAddr(header(message, 'from') ?? '');
  const to = parseNameAddr(header(message, 'to') ?? '');
  if (!from || !to) return { ok: false, reason: 'no readable From or To' };
  const callId = header(message, 'call-id') ?? '';
  if (!CALL_ID.test(callId)) return { ok: false, reason: 'no readable Call-ID' };
  const cseq = parseCSeq(header(message, 'cseq') ?? '');
  if (!cseq) return { ok: false, reason: 'no readable CSeq' };
  if (message.kind === 'request' && cseq.method !== message.method)
    return { ok: false, reason: 'a CSeq of another method' };
  return {
    ok: true,
    essentials: {
      via,
      branch: via.params.get('branch'),
      callId,
      fromTag: from.params.get('tag'),
      toTag: to.params.get('tag'),
      seq: cseq.seq,
      cseqMethod: cseq.method,
    },
  };
}

/** A question mark before the host is the user's. */
const hasHeaders = (uri: string) => uri.slice(uri.indexOf('@') + 1).includes('?');

/** Why a request is refused although its headers can be read (section 8.2); undefined where it is in order. */
export function faultOf(request: SipRequest): { status: number; reason: string } | undefined {
  const hops = header(request, 'max-forwards');
  if (hops !== undefined && !(/^\d{1,4}$/.test(hops) && Number(hops) <= MOST_HOPS))
    return { status: 400, reason: 'Bad Max-Forwards' };
  for (const value of request.headers.get('contact') ?? [])
    if (value !== '*' && !parseNameAddr(value)) return { status: 400, reason: 'Bad Contact' };
  // Headers have no place in the address of a request (section 19.1.1).
  if (
    /^(?:sips?):/i.test(request.uri)
      ? !parseUri(request.uri) || hasHeaders(request.uri)
      : /[<>"]/.test(request.uri)
  )
    return { status: 400, reason: 'Bad Request-URI' };
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(request.uri)) return { status: 400, reason: 'Bad Request-URI' };
  return undefined;
}
