import ipaddr from 'ipaddr.js';
import { type Allowlist, allowsAddress, allowsName, mayAllowSomeAddress, namesPort } from './allowlist.ts';

/**
 * What stands between the service and the inside of a network. Pure: the same rules check a URL when it is saved
 * and the address that is really connected to (docs/webhooks.md, "Addresses that are refused").
 */
export type Verdict = { ok: true } | { ok: false; reason: string };

export type Target = {
  url: URL;
  /** Name or address without brackets and without a trailing dot. */
  host: string;
  port: number;
  /**
   * `public`: every address must be public, or be allowed by a range of the allowlist.
   * `listed`: only addresses inside a range of the allowlist will do (plain http, or a name that is internal by its form).
   * `any`: the operator named this host.
   */
  addresses: 'public' | 'listed' | 'any';
};

export type UrlVerdict = ({ ok: true } & Target) | { ok: false; reason: string };

const MAX_URL_CHARACTERS = 2048;

/** Answered by Azure's platform itself, unicast as it looks. */
const AZURE_PLATFORM = '168.63.129.16';

const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Inside 2000::/3, yet not somebody's server: protocol assignments with Teredo, documentation, 6to4, documentation again. */
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((range) =>
  ipaddr.IPv6.parseCIDR(range),
);

/** The fetch standard's bad ports: other protocols live there that can be fooled by an HTTP request. */
const BAD_PORTS = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Names that by their form stand for the machine itself or for a private network. */
const INTERNAL_SUFFIXES = [
  'localhost',
  'local',
  'internal',
  'localdomain',
  'intranet',
  'lan',
  'home',
  'corp',
  'private',
  'home.arpa',
];

/** Public names made to resolve to whatever address they contain, or to the machine itself. */
const ADDRESS_IN_NAME = [
  'nip.io',
  'sslip.io',
  'xip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'lacolhost.com',
  'localho.st',
  'rbndr.us',
];

/** Judges one address, as text in its canonical form (what a resolver or a socket reports). */
export function checkAddress(address: string): Verdict {
  if (!ipaddr.isValid(address)) return { ok: false, reason: `${address} is not an address` };
  const parsed = ipaddr.parse(address);
  const range = parsed.range();
  if (parsed instanceof ipaddr.IPv4) {
    if (range !== 'unicast')
      return { ok: false, reason: `${address} is not a public address (${spell(range)})` };
    if (parsed.toString() === AZURE_PLATFORM)
      return { ok: false, reason: `${address} is not a public address (cloud platform)` };
    return { ok: true };
  }
  const isPublic =
    range === 'unicast' &&
    parsed.match(GLOBAL_IPV6) &&
    !SPECIAL_IPV6.some((special) => parsed.match(special));
  return isPublic
    ? { ok: true }
    : {
        ok: false,
        reason: `${address} is not a public address (${spell(range === 'unicast' ? 'reserved' : range)})`,
      };
}

/**
 * Decides about a URL by its form, without asking any resolver. Addresses are checked in whatever spelling they come
 * (decimal, octal, hexadecimal, mapped, full-width digits), because the URL parser brings all of them into one form.
 */
export function checkUrl(text: string, allowlist: Allowlist): UrlVerdict {
  const shape = readUrl(text);
  if (!shape.ok) return shape;
  const { url } = shape;
  const host = hostOf(url);
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
  if (BAD_PORTS.has(port) && !namesPort(allowlist, port))
    return refuse(`port ${port} belongs to another protocol`);
  if (allowsName(allowlist, host, port)) return { ok: true, url, host, port, addresses: 'any' };
  const decision = ipaddr.isValid(host)
    ? checkLiteral(url, host, port, allowlist)
    : checkName(url, host, port, allowlist);
  return decision.ok ? { ok: true, url, host, port, addresses: decision.addresses } : decision;
}

/** Judges an address that a target's name resolved to, or that a socket is connected to. */
export function checkResolved(target: Target, address: string, allowlist: Allowlist): Verdict {
  if (target.addresses === 'any' || allowsAddress(allowlist, address, target.port)) return { ok: true };
  if (target.addresses === 'listed')
    return refuse(`${address} is not in the operator's list of allowed addresses`);
  return checkAddress(address);
}

function readUrl(text: string): { ok: true; url: URL } | { ok: false; reason: string } {
  if (text.length > MAX_URL_CHARACTERS)
    return refuse(`must be at most ${MAX_URL_CHARACTERS.toLocaleString('en-US')} characters`);
  // Checked before parsing: the parser would silently drop tabs and newlines, and invisible characters in names.
  if (/[\p{C}\p{Z}]/u.test(text))
    return refuse('must not contain spaces, control characters or invisible characters');
  if (text.includes('\\')) return refuse('must not contain backslashes');
  if (!/^https?:\/\/[^/]/i.test(text)) return refuse('must be an https:// address');
  const url = URL.parse(text);
  if (!url || url.hostname === '') return refuse('is not a valid URL');
  if (url.username !== '' || url.password !== '' || authorityOf(text).includes('@'))
    return refuse('must not contain a user name or password');
  return { ok: true, url };
}

function authorityOf(text: string): string {
  return text.slice(text.indexOf('//') + 2).split(/[/?#]/, 1)[0] ?? '';
}

function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

type Judged = { ok: true; addresses: Target['addresses'] } | { ok: false; reason: string };

function checkLiteral(url: URL, address: string, port: number, allowlist: Allowlist): Judged {
  if (allowsAddress(allowlist, address, port)) return { ok: true, addresses: 'listed' };
  if (url.protocol !== 'https:') return refuse('must use https');
  const decision = checkAddress(address);
  return decision.ok ? { ok: true, addresses: 'public' } : decision;
}

function checkName(url: URL, name: string, port: number, allowlist: Allowlist): Judged {
  if (!isDnsName(name)) return refuse('the host is not a valid name');
  const form = checkNameForm(name);
  if (url.protocol === 'https:' && form.ok) return { ok: true, addresses: 'public' };
  if (mayAllowSomeAddress(allowlist, port)) return { ok: true, addresses: 'listed' };
  return form.ok ? refuse('must use https') : form;
}

function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    name.split('.').every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  );
}

function checkNameForm(name: string): Verdict {
  const under = (suffix: string) => name === suffix || name.endsWith(`.${suffix}`);
  if (INTERNAL_SUFFIXES.some(under)) return refuse(`${name} is a name inside a private network`);
  if (!name.includes('.'))
    return refuse(`${name} is a name without a domain, which only a private network knows`);
  const service = ADDRESS_IN_NAME.find(under);
  if (service)
    return refuse(
      `names under ${service} lead to whatever address they contain; use the receiver's own name`,
    );
  return { ok: true };
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}

/** `carrierGradeNat` reads as `carrier grade nat`. */
function spell(range: string): string {
  return range.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
