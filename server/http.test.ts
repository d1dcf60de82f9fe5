import { request as sendRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POST as QUEUE_CALL } from '#app/api/outbound/route.ts';
import { AppError } from '#lib/errors.ts';
import { createLogger } from '#lib/log.ts';
import { addKey, addWorkspace } from '#lib/auth/testing.ts';
import { maxJsonBytesOf, isMultipart } from '#lib/http/operation.ts';
import { operations } from '#lib/http/operations.ts';
import { noMetrics } from '#lib/ports/metrics.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { createHttpServer } from './http.ts';
import { BODY_BOUNDS } from './request-bodies.ts';
import { sendWebResponse, webRequest } from './testing.ts';

const KEY = 'cw_test_doors';
const SIGN_IN = '/api/auth/sign-in/email';

let runtime: TestRuntime;
let server: Server;
const logged: unknown[] = [];
let port: number;

beforeAll(async () => {
  runtime = await startTestRuntime();
  await addWorkspace(runtime, 'ws_alpha');
  await addKey(runtime, 'ws_alpha', KEY);
  server = createHttpServer({
    figures: { metrics: noMetrics, token: undefined },
    handle: serveWithoutNext,
    isPage: () => true,
    staticFiles: {
      has: (path) => path === '/_next/static/chunk.js',
      serve: () => Promise.resolve(false),
    },
    publicUrl: 'http://localhost:3000',
    development: false,
    trustedProxies: ['127.0.0.1'],
    rateLimiter: { take: takeUnlessAtLimit },
    ids: runtime.ids,
    log: createLogger('info', { write: (line) => void logged.push(JSON.parse(line)) }),
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await runtime.close();
});

/** The limiter has tests of its own; here it refuses one network and remembers what it was asked. */
const AT_ITS_LIMIT = 'address:20010db800000099/64';
const taken: [string, string | undefined][] = [];
async function takeUnlessAtLimit(rateKey: string, _what: string, kind?: string): Promise<void> {
  taken.push([rateKey, kind]);
  if (rateKey === AT_ITS_LIMIT) throw new AppError('RATE_LIMITED', 'too many', { retryAfterSeconds: 7 });
}

let onRequest = () => {};

/** Resolves when so many more requests have reached their handler. */
function countOf(requests: number): Promise<void> {
  return new Promise((resolve) => {
    let left = requests;
    onRequest = () => {
      left -= 1;
      if (left === 0) resolve();
    };
  });
}

/** What Next does with a request for a route, without Next. */
const serveWithoutNext: Parameters<typeof createHttpServer>[0]['handle'] = async (incoming, outgoing) => {
  onRequest();
  const { url = '/' } = incoming;
  const request = webRequest(incoming);
  const response = url.startsWith('/api/auth/')
    ? await runtime.auth.handle(request)
    : url === '/api/outbound'
      ? await QUEUE_CALL(request, { params: Promise.resolve({}) })
      : new Response('a page');
  await sendWebResponse(response, outgoing);
};

type Answer = {
  status: number | undefined;
  headers: Record<string, unknown>;
  body: Record<string, unknown>;
  error: Record<string, unknown>;
};

/** Sends headers and the body given, which may be less than announced, and waits for the answer only. */
function send(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = sendRequest({ host: '127.0.0.1', port, method, path, headers, agent: false });
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += part.toString()));
      response.on('end', () => {
        const body = text.startsWith('{') ? (JSON.parse(text) as Answer['body']) : {};
        const error = (body.error ?? {}) as Answer['error'];
        resolve({ status: response.statusCode, headers: response.headers, body, error });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    sent.write(body);
    if (headers['content-length'] === undefined || headers['content-length'] === Buffer.byteLength(body))
      sent.end();
  });
}

const json = (body: string) => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
});

describe('a body', () => {
  const withJson = operations.filter((operation) => operation.body && !isMultipart(operation.body));

  test.each(withJson.map((operation) => [operation.id, operation] as const))(
    'of %s is refused by its announced length, before it is sent',
    async (_id, operation) => {
      const maxBytes = maxJsonBytesOf(operation);
      const path = `/api${operation.path.replace(/\{\w+\}/g, 'x')}`;
      const answer = await send(operation.method, path, { 'content-length': maxBytes + 1 }, '[');
      expect(answer.status).toBe(400);
      expect(answer.error).toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        statusCode: 400,
        details: { maxBytes },
      });
    },
  );

  test('of a sign-in has a few kilobytes, announced or not', async () => {
    const body = JSON.stringify({ email: 'a@alpha.test', password: 'x'.repeat(5_000) });
    expect((await send('POST', SIGN_IN, json(body), body)).status).toBe(400);
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const answer = await send('POST', SIGN_IN, chunked, body);
    expect(answer.error).toMatchObject({ code: 'PAYLOAD_TOO_LARGE', details: { maxBytes: 4096 } });
  });

  test('that is begun and not ended takes a place; above 64 its address is refused, and no other', async () => {
    const from = (address: string) => ({ 'x-api-key': KEY, 'x-forwarded-for': address, ...json('{}') });
    const stalled = Array.from({ length: BODY_BOUNDS.network.bodies }, () =>
      sendRequest({
        host: '127.0.0.1',
        port,
        method: 'POST',
        path: '/api/outbound',
        agent: false,
        headers: from('198.51.100.9'),
      }),
    );
    const allBegun = countOf(stalled.length);
    for (const request of stalled) request.on('error', () => {}).write('{');
    await allBegun;
    const refused = await send('POST', '/api/outbound', from('198.51.100.9'), '{');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1']);
    expect(refused.error).toMatchObject({ code: 'RATE_LIMITED', statusCode: 429 });
    expect((await send('POST', '/api/outbound', from('198.51.100.10'), '{}')).status).toBe(400);
    for (const request of stalled) request.destroy();
  });
});

test.each([
  ['GET', '/api/nothing', 'ROUTE_NOT_FOUND'],
  ['GET', '/api/agents/%ff', 'MALFORMED_REQUEST'],
  ['GET', '/%ff', 'MALFORMED_REQUEST'],
  ['GET', '/metrics', 'ROUTE_NOT_FOUND'],
  ['PUT', '/api/campaigns', 'METHOD_NOT_ALLOWED'],
])('%s %s is refused under an id that the log has', async (method, path, code) => {
  const answer = await send(method, path, {});
  expect(answer.error.code).toBe(code);
  const requestId = answer.headers['x-request-id'];
  expect(requestId).toMatch(/^req_/);
  expect(logged).toContainEqual(expect.objectContaining({ event: 'request', requestId, code }));
});

test('of many problems twenty are told, and how many there are besides', async () => {
  const variables = Object.fromEntries(Array.from({ length: 150 }, (_, index) => [`v${index}`, index]));
  const body = JSON.stringify({ from: '+15550100001', to: '+15550100002', variables });
  const answer = await send('POST', '/api/outbound', { 'x-api-key': KEY, ...json(body) }, body);
  expect(answer.status).toBe(400);
  expect(answer.error.message).toMatch(/^variables\.v0: expected string, received number; .*; and 130 more$/);
  expect(answer.error.details).toMatchObject({
    problems: Array.from({ length: 20 }, () => expect.anything()),
  });
});

test('what no operation takes is not checked one by one', async () => {
  const body = JSON.stringify({ from: '+15550100001', variables: { a: Array(100_000).fill(0) } });
  const answer = await send('POST', '/api/outbound', { 'x-api-key': KEY, ...json(body) }, body);
  expect([answer.status, answer.error.message]).toEqual([400, 'body: has more than 5,000 values']);
});

test('wrong passwords all at once get two answers, and the rest is told to come again', async () => {
  const guess = (index: number) =>
    JSON.stringify({ email: `a${index}@alpha.test`, password: 'wrong password' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      send('POST', SIGN_IN, { ...json(guess(index)), 'x-forwarded-for': '198.51.100.11' }, guess(index)),
    ),
  );
  const statuses = answers.map((answer) => answer.status);
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(statuses.filter((status) => status === 401).length).toBeLessThan(10);
  expect(answers.find((answer) => answer.status === 429)?.headers['retry-after']).toBe('1');
});

test.each([
  ['/sign-in', 'page'],
  ['/docs', 'page'],
  ['/shared/share_1.Signature', 'page'],
  ['/w/ws_alpha/x.js', 'page'],
  ['/_next/static/nothing.js', 'page'],
  ['/_next/static/chunk.js', 'request'],
  [SIGN_IN, 'signIn'],
])('%s is limited by address as %s before anything works on it, a /64 of IPv6 as one', async (path, kind) => {
  const from = (address: string) => ({ accept: 'text/html', 'x-forwarded-for': address });
  const method = path === SIGN_IN ? 'POST' : 'GET';
  const refused = await send(method, path, from('2001:db8:0:99::ffff'));
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '7']);
  expect(refused.error).toMatchObject({ code: 'RATE_LIMITED', statusCode: 429 });
  // Sign-in routes say it as better-auth's client reads it, too.
  expect(refused.body.code).toBe(path === SIGN_IN ? 'RATE_LIMITED' : undefined);
  expect(taken.at(-1)).toEqual([AT_ITS_LIMIT, kind]);
  expect((await send(method, path, from('2001:db8:0:98::ffff'))).status).not.toBe(429);
});
