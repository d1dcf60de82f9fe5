import { expect, test } from '@playwright/test';
import { GAMMA, API_URL } from './support/api.ts';

type Operation = {
  operationId: string;
  parameters?: { name: string; in: string; schema: { type?: string } }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
};
type Schema = { $ref?: string; properties?: Record<string, unknown> };
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};
type Attempt = {
  operation: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
};

const STRANGE_IDS = [
  'x',
  'agent_gamma',
  'prompt_gamma',
  'kb_gamma',
  'null',
  '0',
  '-1',
  '%00',
  'a%00b',
  '%2e%2e%2f%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%ff',
  '%C0%AF',
  '%E0%A4%A',
  '%F0%9F%98%80',
  '%22',
  '%27%20or%201%3D1--',
  '%7B%7D',
  '%20',
  '.',
  'a'.repeat(400),
  'a'.repeat(5000),
  '%0d%0aset-cookie%3Aa',
  'undefined',
  '__proto__',
  'constructor',
];
const STRANGE_VALUES: unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  2 ** 63,
  '',
  ' ',
  'x',
  '\u0000',
  '\ud800',
  '😀'.repeat(50),
  'x'.repeat(120_001),
  '{{',
  '{{a}}',
  '{{a < 1 ? "b" : "c"}}',
  '{{a ? }}',
  [],
  [null],
  ['kb_gamma'],
  ['kb_beta'],
  [['x']],
  Array.from({ length: 1000 }, () => 'x'),
  {},
  { a: 1 },
  JSON.parse('{"__proto__":1}'),
  { constructor: null },
  'http://127.0.0.1/',
  'https://[::1]/',
  '+15550100001',
  '2026-02-30',
  'NaN',
  'Infinity',
  '٣',
  '1e3',
  '0x10',
  '-0',
  '99999999999999999999',
];
const RAW_BODIES = [
  '',
  'null',
  '[]',
  '0',
  '"text"',
  '{',
  '{"a":',
  '\u0000',
  '{"a":1}{"b":2}',
  '['.repeat(50_000),
  '{"a":'.repeat(5_000),
  `{"chatPrompt":"${'x'.repeat(5_000_000)}"}`,
  '{"__proto__":{"a":1}}',
];
const CONTENT_TYPES = [
  'application/json',
  'text/plain',
  'application/xml',
  'multipart/form-data',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  '',
  '*/*',
  'a'.repeat(300),
];

test('no input of any kind gives a 5xx', () => expectNoFault({ every: 11 }));
test('no input of any kind gives a 5xx, every one of them', { tag: '@nightly' }, () => {
  test.setTimeout(10 * 60_000);
  return expectNoFault({ every: 1 });
});

/**
 * Sends each attempt of each operation, or every so-many-th: a minute of one core for all of them. No list of strange
 * values has 11 entries or a multiple of it, so that every operation gets other ones.
 */
async function expectNoFault({ every }: { every: number }): Promise<void> {
  const document = (await (await fetch(`${API_URL}/api/openapi.json`)).json()) as Document;
  const attempts = Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, operation]) =>
        attemptsFor(document, { path, method: method.toUpperCase(), operation }),
      ),
    )
    .filter((_, index) => index % every === 0);
  expect(attempts.length).toBeGreaterThan(2500 / every);
  const failures: string[] = [];
  const notJson: string[] = [];
  let next = 0;
  const worker = async () => {
    for (let attempt = attempts[next++]; attempt; attempt = attempts[next++]) {
      const response = await fetch(`${API_URL}/api${attempt.path}`, {
        method: attempt.method,
        headers: attempt.headers,
        redirect: 'manual',
        ...(attempt.body === undefined ? {} : { body: attempt.body }),
      }).catch((error: unknown) => String(error));
      const described = `${attempt.operation} ${attempt.method} ${attempt.path.slice(0, 120)} ${String(attempt.body ?? '').slice(0, 120)}`;
      if (typeof response === 'string') {
        failures.push(`${described}: ${response}`);
        continue;
      }
      const text = await response.text();
      if (response.status >= 500) failures.push(`${described}: ${response.status} ${text.slice(0, 200)}`);
      else if (response.status >= 400 && !text.startsWith('{"error":{'))
        notJson.push(`${described}: ${response.status} ${text.slice(0, 100)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  expect(failures).toEqual([]);
  expect(notJson).toEqual([]);
}

/** The names of a body's fields; its schema may be a named one. */
function fieldsOf(document: Document, { $ref, properties }: Schema): string[] {
  const named = $ref === undefined ? undefined : document.components.schemas[$ref.split('/').at(-1) ?? ''];
  return Object.keys(named?.properties ?? properties ?? {});
}

function attemptsFor(
  document: Document,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): Attempt[] {
  const attempts: Attempt[] = [];
  const key = { 'x-api-key': GAMMA };
  const add = (attempt: Partial<Attempt>) =>
    attempts.push({ operation: operation.operationId, method, path: fill(path), headers: key, ...attempt });
  // Uploads of garbage run through the parser; a few are enough.
  const json = operation.requestBody?.content['application/json'];
  const body = json ? JSON.stringify({}) : undefined;
  const headers = json ? { ...key, 'content-type': 'application/json' } : key;
  for (const id of STRANGE_IDS)
    if (path.includes('{')) add({ path: fill(path, id), headers, ...(body ? { body } : {}) });
  for (const parameter of operation.parameters ?? []) {
    if (parameter.in !== 'query') continue;
    for (const value of STRANGE_VALUES)
      add({ path: `${fill(path)}?${parameter.name}=${encodeURIComponent(wellFormed(String(value)))}` });
    for (const raw of ['%', '%zz', '%00', '%ff', '[]', '&x=1&x=2', 'a&a=b'])
      add({ path: `${fill(path)}?${parameter.name}=${raw}` });
    add({ path: `${fill(path)}?${parameter.name}` });
    add({ path: `${fill(path)}?${parameter.name}=1&${parameter.name}=2` });
  }
  for (const name of json ? fieldsOf(document, json.schema) : []) {
    for (const value of STRANGE_VALUES)
      add({ headers, body: JSON.stringify({ ...minimal(operation), [name]: value }) });
  }
  if (operation.requestBody) {
    for (const raw of RAW_BODIES) add({ headers: { ...key, 'content-type': 'application/json' }, body: raw });
    for (const type of CONTENT_TYPES)
      add({
        headers: { ...key, ...(type ? { 'content-type': type } : {}) },
        body: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello\r\n--x--\r\n',
      });
    add({
      headers: { ...key, 'content-type': 'application/json' },
      body: new Uint8Array([0xff, 0xfe, 0x7b, 0x00]),
    });
  } else {
    add({ headers: { ...key, 'content-length': '0' } });
  }
  add({ headers: { 'x-api-key': 'x'.repeat(4000) } });
  add({ headers: { 'x-api-key': 'é' } });
  add({ headers: { cookie: 'better-auth.session_token=garbage', 'x-workspace-id': 'ws_gamma' } });
  add({ headers: { ...key, 'idempotency-key': 'k'.repeat(3000) }, ...(body ? { body } : {}) });
  return attempts;
}

/** Ids nobody has, so that nothing real is deleted; `value` goes into every placeholder. */
function fill(path: string, value = 'fuzz_nobody'): string {
  return path.replace(/\{\w+\}/g, () => value);
}

function minimal(operation: Operation): Record<string, unknown> {
  return operation.operationId === 'createOutboundCall' || operation.operationId === 'queueOutboundCall'
    ? { from: '+15550100001', to: '+15550109907' }
    : {};
}

function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
