import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { bodyLimitOf, isMultipart } from './operation.ts';
import { operations } from './operations.ts';
import { readJsonBody } from './body.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Node demands `duplex` for a stream; the types of the browser do not know it. */
const streamed: RequestInit & { duplex: 'half' } = { method: 'POST', duplex: 'half' };

const requestWith = (body: ReadableStream<Uint8Array>) =>
  new Request('http://localhost/api/x', {
    ...streamed,
    headers: { 'content-type': 'application/json' },
    body,
  });

test('a body that stops arriving is 408 after ten seconds', async () => {
  const stalled = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"name":')),
  });
  const read = readJsonBody(requestWith(stalled), { maxBytes: 100 });
  const outcome = expect(read).rejects.toMatchObject({ code: 'BODY_TIMEOUT', status: 408 });
  await vi.advanceTimersByTimeAsync(10_000);
  await outcome;
});

test('a body in time leaves no timer behind', async () => {
  const body = new Blob(['{"name":', '"x"}']).stream();
  expect(await readJsonBody(requestWith(body), { maxBytes: 12 })).toEqual({ name: 'x' });
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [
    { 'content-encoding': 'gzip' },
    'A body with Content-Encoding: gzip is not taken; send it without compression',
  ],
  [
    { 'content-type': 'application/json; charset="ISO-8859-1"' },
    'A body with the charset iso-8859-1 is not taken; send it in UTF-8',
  ],
  [{ 'content-type': 'application/json;charset=utf-16le' }, /the charset utf-16le is not taken/],
])('what is not taken of a body with %o is said', async (headers, message) => {
  const request = new Request('http://localhost/api/x', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
  });
  const refusal = expect.objectContaining({ code: 'UNSUPPORTED_ENCODING', status: 415 });
  const read = readJsonBody(request, { maxBytes: 100 });
  await expect(read).rejects.toThrow(message);
  await expect(read).rejects.toEqual(refusal);
});

test.each([
  'application/json; charset=UTF-8',
  'application/json;charset="utf8"',
  'application/json; charset=us-ascii',
])('a body of type %s is UTF-8', async (type) => {
  const init = {
    method: 'POST',
    headers: { 'content-type': type, 'content-encoding': 'identity' },
    body: '{}',
  };
  expect(await readJsonBody(new Request('http://localhost/api/x', init), { maxBytes: 100 })).toEqual({});
});

type JsonSchema = {
  type?: string;
  maxLength?: number;
  maxItems?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
};

/** Characters of the largest value that a schema takes, as far as it bounds them. */
function largest(schema: JsonSchema): number {
  const choices = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].map(largest);
  const properties = Object.entries(schema.properties ?? {}).map(
    ([name, value]) => name.length + 4 + largest(value),
  );
  const own =
    (schema.maxLength ?? 0) +
    (schema.items ? (schema.maxItems ?? 0) * (largest(schema.items) + 3) : 0) +
    properties.reduce((sum, size) => sum + size, 0);
  return Math.max(own, ...choices, 10);
}

// Twice, because letters beyond ASCII take two bytes and more.
test.each(operations.filter((operation) => operation.body && !isMultipart(operation.body)))(
  'the largest valid body of $id is within its limit',
  (operation) => {
    const limit = bodyLimitOf(operation);
    const schema = z.toJSONSchema(operation.body as z.ZodType, { io: 'input', unrepresentable: 'any' });
    expect(limit.kind === 'json' && 2 * largest(schema as JsonSchema) <= limit.maxBytes).toBe(true);
  },
);
