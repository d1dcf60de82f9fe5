import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Outcome } from '#lib/outgoing/sender.ts';
import { readAnswer } from './answer.ts';
import { NO_ARGUMENTS, readArgumentSchema } from './argument-schema.ts';
import { checkArguments } from './check-arguments.ts';
import { pathFault, readPath } from './json-path.ts';
import { redactSecrets } from './redact.ts';
import { buildRequest } from './request.ts';
import { type HttpTool, toolFaults } from './tool.ts';

const ADDRESS = 'https://api.example.com/v1';
const build = (tool: Partial<HttpTool>, args: Record<string, unknown>, headers = {}) =>
  buildRequest(
    { method: 'GET', path: '', timeoutMs: 8000, ...tool },
    { address: ADDRESS, headers, arguments: args },
  );
const urlOf = (path: string, args: Record<string, unknown>) => {
  const built = build({ path }, args);
  return built.ok ? built.request.url : built.reason;
};

describe('the address of a request', () => {
  it('has its arguments where their placeholders stand, and the others in the query', () => {
    expect(urlOf('/orders/{{id}}?lang={{lang}}', { id: 'A 1/2', lang: 'de&x=1', page: 2 })).toBe(
      `${ADDRESS}/orders/A%201%2F2?lang=de%26x%3D1&page=2`,
    );
  });

  it('leaves out a parameter whose argument was not given', () => {
    expect(urlOf('/orders?state={{state}}&limit=5', {})).toBe(`${ADDRESS}/orders?limit=5`);
  });

  it('is refused where an argument would be empty or lead elsewhere', () => {
    expect(urlOf('/orders/{{id}}', { id: ' ' })).toBe('id: must not be empty');
    for (const id of ['.', '..']) expect(urlOf('/orders/{{id}}/x', { id })).toMatch(/lead out/);
    expect(urlOf('/orders/{{a}}{{b}}/x', { a: '.', b: '.' })).toMatch(/lead out/);
    expect(urlOf('/orders/%2e{{a}}/x', { a: '.' })).toMatch(/lead out/);
  });

  it.each([
    '../admin',
    '..\\admin',
    'a/../../admin',
    '%2e%2e%2fadmin',
    '%252e%252e%252fadmin',
    './x',
    '..;/admin',
    '..;x=1/admin',
  ])('is refused where %s would lead up once a server decodes it', (id) => {
    expect(urlOf('/orders/{{id}}', { id })).toMatch(/lead out/);
  });

  it('takes dots and percent signs that lead nowhere', () => {
    expect(urlOf('/files/{{name}}', { name: 'a..b/..c 100%.txt' })).toBe(
      `${ADDRESS}/files/a..b%2F..c%20100%25.txt`,
    );
  });

  it('never leaves its part, whatever the argument', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'grapheme' }),
        (id, query) => {
          const built = build({ path: '/orders/{{id}}/items?q={{q}}' }, { id, q: query });
          if (!built.ok) return;
          const url = new URL(built.request.url);
          expect(url.origin).toBe('https://api.example.com');
          expect(url.pathname.split('/')).toHaveLength(5);
          expect(decodeURIComponent(url.pathname.split('/')[3] ?? '')).toBe(id.toWellFormed());
          expect([...url.searchParams.keys()]).toEqual(query === '' ? [] : ['q']);
          expect(url.hash).toBe('');
        },
      ),
      { numRuns: 300 },
    );
  });

  it('sends what stands in no part of it as JSON where the method has a body', () => {
    const built = build({ method: 'POST', path: '/orders/{{id}}' }, { id: 7, note: 'x', tags: ['a'] });
    expect(built).toMatchObject({ ok: true, request: { url: `${ADDRESS}/orders/7` } });
    if (built.ok) expect(new TextDecoder().decode(built.request.body)).toBe('{"note":"x","tags":["a"]}');
  });
});

describe('what is wrong with a tool', () => {
  const parameters = { ...NO_ARGUMENTS, properties: { id: {}, q: {} }, required: ['q'] };
  it.each([
    ['/orders/{{id}}', 'id stands in the address, so it must be required'],
    ['/orders?q={{nobody}}', 'has {{nobody}}, which is no argument'],
    ['orders', 'must begin with / or ?'],
    ['//other.example.com/x', 'must begin with a single /'],
    ['/a/../b', 'must not contain . or .. as a part'],
    ['/a b', 'must not contain spaces, control characters, \\ or #'],
    ['/a/{{', 'has {{ without a name and }} behind it'],
  ])('%s: %s', (path, reason) => {
    expect(toolFaults({ path, parameters }).map((fault) => fault.reason)).toContain(reason);
  });
});

describe('arguments', () => {
  const schema = readArgumentSchema({
    type: 'object',
    properties: {
      id: { type: 'string', maxLength: 5 },
      count: { type: 'integer', minimum: 1 },
      state: { type: 'string', enum: ['open', 'closed'] },
      when: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    },
    required: ['id'],
  });
  if (!schema) throw new Error('the schema was refused');

  it('that fit are taken, without what nobody asked for and what was left out as null', () => {
    expect(checkArguments(schema, { id: 'A', count: null, hack: 1 })).toEqual({
      ok: true,
      arguments: { id: 'A' },
    });
  });

  it.each([
    [{}, "arguments: must have required property 'id'"],
    [{ id: 'ABCDEF' }, 'id: must NOT have more than 5 characters'],
    [{ id: 'A', count: 0 }, 'count: must be >= 1'],
    [{ id: 'A', state: 'lost' }, 'state: must be equal to one of the allowed values: open, closed'],
    [{ id: 'A', when: {} }, "when: must have required property 'day'"],
    ['A', 'the arguments must be an object'],
    [{ id: 'A', note: 'x'.repeat(20_000) }, 'the arguments are too long'],
  ])('%j are refused with a reason', (given, reason) => {
    expect(checkArguments(schema, given)).toEqual({ ok: false, reason });
  });

  it('of a hostile schema are bounded: nothing that takes long is kept of it', () => {
    const pattern = '^(a+)+$';
    const kept = readArgumentSchema({
      type: 'object',
      properties: { a: { type: 'string', pattern, $ref: '#/definitions/x' }, ['__proto__x']: {} },
      patternProperties: { [pattern]: {} },
      $defs: {},
    });
    expect(JSON.stringify(kept)).not.toMatch(/pattern|\$ref|\$defs/);
    const deep: Record<string, unknown> = { type: 'object', properties: {} };
    deep['properties'] = { again: deep };
    expect(JSON.stringify(readArgumentSchema(deep)).length).toBeLessThan(1000);
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`p${index}`, { anyOf: [{}, {}, {}] }]),
    );
    expect(readArgumentSchema({ type: 'object', properties: wide })).toBeUndefined();
    expect(readArgumentSchema({ type: 'string' })).toBeUndefined();
  });
});

describe('an answer', () => {
  const answered = (
    body: unknown,
    { status = 200, type = 'application/json', isTruncated = false } = {},
  ): Outcome => ({
    resolvedIp: '192.0.2.1',
    durationMs: 1,
    failure: undefined,
    answer: {
      status,
      headers: { 'content-type': type },
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
      isTruncated,
    },
  });
  const order = { id: 7, items: [{ name: 'Tea' }, { name: 'Milk' }], delivery: { date: null } };

  it.each([
    [null, order],
    ['items[1].name', 'Milk'],
    ['$.items[*].name', ['Tea', 'Milk']],
    ['nothing.there', null],
    ['Order {{id}}: {{items[0].name}}{{delivery.date}}.', 'Order 7: Tea.'],
  ])('is heard by %s', (wanted, data) => {
    expect(readAnswer(answered(order), wanted)).toEqual({ ok: true, data });
  });

  it('that is long is cut, and says so', () => {
    const heard = readAnswer(answered({ text: 'x'.repeat(9000) }), 'text');
    expect(heard).toMatchObject({ ok: true, isCut: true });
    expect(JSON.stringify(heard).length).toBeLessThan(4100);
  });

  it('without JSON is text, and without characters that no database takes', () => {
    expect(readAnswer(answered('fine\u0000', { type: 'text/plain' }), null)).toEqual({
      ok: true,
      data: 'fine',
    });
    expect(readAnswer(answered('{"a\\u0000":"b\\u0000\\ud800"}'), null)).toEqual({
      ok: true,
      data: { a: 'b\ufffd' },
    });
    expect(readAnswer(answered('fine', { type: 'text/plain' }), 'a.b')).toMatchObject({ ok: false });
  });

  it.each([
    [answered({ error: 'no such order' }, { status: 404 }), 'The service answered with status 404.'],
    [answered('', { status: 302 }), 'The service sent the request elsewhere (status 302).'],
    [answered('<html>', { type: 'text/html' }), 'The service answered with a web page and not with data.'],
    [answered('[1', { isTruncated: true }), 'The answer of the service is too large.'],
  ])('that is none is a failure in one sentence', (outcome, reason) => {
    expect(readAnswer(outcome, null)).toMatchObject({ ok: false, reason });
  });
});

it('paths are read, and refused where they are none', () => {
  expect(readPath({ a: { 'b c': [1, 2] } }, '$.a["b c"][1]')).toBe(2);
  expect(readPath([{ a: [1] }, { a: [2, 3] }], '[*].a[*]')).toEqual([1, 2, 3]);
  expect(readPath({ a: 1 }, 'constructor.name')).toBeUndefined();
  for (const path of ['a[', 'a[x]', 'a..b', '[?(@.x)]']) expect(pathFault(path)).toBeDefined();
});

it('secrets that a server repeats are taken out, in every spelling', () => {
  const secrets = ['Bearer sk-1234 567890"x'];
  const echoed = { headers: { authorization: secrets[0] }, text: 'your key 567890"x and sk-1234 are bad' };
  expect(JSON.stringify(redactSecrets(echoed, secrets))).not.toMatch(/567890/);
  expect(redactSecrets('Bearer is a word', secrets)).toBe('Bearer is a word');
});
