import type { OutgoingRequest } from '#lib/outgoing/sender.ts';
import { type HttpTool, isDotSegment, PLACEHOLDER, placeholdersOf } from './tool.ts';

const METHODS_WITH_BODY = new Set(['POST', 'PUT', 'PATCH']);
const MAX_ANSWER_BYTES = 512 * 1024;

type Built = { ok: true; request: OutgoingRequest } | { ok: false; reason: string };

/**
 * The request of one use. An argument fills the part of the address that its placeholder stands for and never more: it is
 * encoded, may not be empty in a path, and cannot lead to another path or server. What stands in no part of the address is
 * sent as JSON, or as parameters of the query where the method has no body.
 */
export function buildRequest(
  tool: Pick<HttpTool, 'method' | 'path' | 'timeoutMs'>,
  given: { address: string; headers: Record<string, string>; arguments: Record<string, unknown> },
): Built {
  const filled = fillPath(tool.path, given.arguments);
  if (!filled.ok) return filled;
  const inPath = new Set(placeholdersOf(tool.path));
  const rest = Object.entries(given.arguments).filter(([name]) => !inPath.has(name));
  const hasBody = METHODS_WITH_BODY.has(tool.method);
  const query = hasBody ? filled.query : [...filled.query, ...rest.map(([name, value]) => pair(name, value))];
  const text = `${given.address}${filled.path}${query.length > 0 ? `?${query.join('&')}` : ''}`;
  if (!staysBelow(text, given.address)) return { ok: false, reason: 'the arguments lead out of the address' };
  return {
    ok: true,
    request: {
      url: text,
      method: tool.method,
      headers: {
        'user-agent': 'Callwright-Tool/1',
        accept: 'application/json, text/plain;q=0.9, */*;q=0.1',
        ...given.headers,
        'accept-encoding': 'identity',
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      body: new TextEncoder().encode(hasBody ? JSON.stringify(Object.fromEntries(rest)) : ''),
      budgetMs: tool.timeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    },
  };
}

type Filled = { ok: true; path: string; query: string[] } | { ok: false; reason: string };

function fillPath(template: string, args: Record<string, unknown>): Filled {
  const [pathname = '', ...queryParts] = template.split('?');
  for (const name of placeholdersOf(pathname)) {
    if (asText(args[name]).trim() === '') return { ok: false, reason: `${name}: must not be empty` };
  }
  const path = fill(pathname, args);
  if (leadsUp(path)) return { ok: false, reason: 'the arguments lead out of the address' };
  const pairs = queryParts.join('?').split('&');
  // A parameter whose argument was left out is left out with it.
  const given = pairs.filter(
    (each) => each !== '' && placeholdersOf(each).every((name) => asText(args[name]) !== ''),
  );
  return { ok: true, path, query: given.map((each) => fill(each, args)) };
}

/** Many a server and proxy decodes `..%2F` before it looks for the way, some twice, and some take what follows a `;` off. */
function leadsUp(path: string): boolean {
  const decoded = path.replace(/%25/g, '%').replace(/%25/g, '%');
  return decoded.split(/\/|\\|%2f|%5c/i).some((segment) => isDotSegment(segment.split(/;|%3b/i)[0] ?? ''));
}

function fill(template: string, args: Record<string, unknown>): string {
  return template.replace(PLACEHOLDER, (_, name: string) => encode(asText(args[name])));
}

function pair(name: string, value: unknown): string {
  return `${encode(name)}=${encode(asText(value))}`;
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function asText(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(asText).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
}

/** The last look, at what the URL parser makes of it. */
function staysBelow(text: string, address: string): boolean {
  const [url, base] = [URL.parse(text), URL.parse(address)];
  if (!url || !base || url.origin !== base.origin || url.username !== '' || url.password !== '') return false;
  const folder = base.pathname.replace(/\/+$/, '');
  return url.pathname === folder || url.pathname.startsWith(`${folder}/`);
}
