import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiKeys } from '#db/schema/keys.ts';
import { setRuntime } from '#lib/current-runtime.ts';
import { defineOperation, type Operation } from '#lib/http/operation.ts';
import { enveloped } from '#lib/http/schemas.ts';
import { route } from '#lib/http/route.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Actor } from './actor.ts';
import { addKey, addSignedInMember, addWorkspace } from './testing.ts';

const answer = { tag: 'Test', summary: 'Test', status: 200, response: enveloped(z.unknown()) } as const;
const read = defineOperation({ id: 'read', method: 'GET', path: '/read', scope: 'workspace', ...answer });
const write = defineOperation({ id: 'write', method: 'POST', path: '/write', scope: 'workspace', ...answer });
const adminWrite = defineOperation({ ...write, id: 'adminWrite', role: 'admin' });
const ownerWrite = defineOperation({ ...write, id: 'ownerWrite', role: 'owner' });
const membersOnly = defineOperation({ ...read, id: 'membersOnly', scope: 'member' });
const usersOnly = defineOperation({ ...read, id: 'usersOnly', scope: 'user' });
const anybody = defineOperation({ ...read, id: 'anybody', scope: 'public' });

let runtime: TestRuntime;
let alpha: Actor;
let key: string;
let keyId: string;
let owner: { userId: string; cookie: string };
let viewer: { userId: string; cookie: string };
let stranger: { userId: string; cookie: string };

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  await addWorkspace(runtime, 'ws_beta');
  ({ key, id: keyId } = await runtime.keys.create(alpha, { name: 'ci' }));
  owner = await addSignedInMember(runtime, 'ws_alpha', 'owner');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
  stranger = await addSignedInMember(runtime, 'ws_beta', 'owner');
});

afterAll(() => runtime.close());

/** Calls an operation whose handler answers its actor, as a request over HTTP would. */
async function call(operation: Operation, headers: Record<string, string>, query = '') {
  const handler = route(operation)(async ({ actor }) => ({ data: actor ?? null }));
  const request = new Request(`http://localhost:3000/api${operation.path}${query}`, {
    method: operation.method,
    headers,
  });
  const response = await handler(request, { params: Promise.resolve({}) });
  const body = (await response.json()) as { data: Actor; error: { message: string; code: string } };
  return { status: response.status, actor: body.data, error: body.error };
}

const inAlpha = (cookie: string) => ({ cookie, 'x-workspace-id': 'ws_alpha' });

describe('an API key', () => {
  test('acts as an admin of its workspace', async () => {
    const { status, actor } = await call(adminWrite, { 'x-api-key': key });
    expect(status).toBe(200);
    expect(actor).toEqual({
      workspaceId: 'ws_alpha',
      kind: 'api_key',
      id: keyId,
      label: 'ci',
      role: 'admin',
    });
  });

  test('does not reach what only an owner may, nor what only people may', async () => {
    expect((await call(ownerWrite, { 'x-api-key': key })).status).toBe(403);
    expect((await call(membersOnly, { 'x-api-key': key })).status).toBe(403);
    expect((await call(usersOnly, { 'x-api-key': key })).status).toBe(403);
  });

  test('of any text works when it was provisioned', async () => {
    await addKey(runtime, 'ws_alpha', 'cw_test_abc');
    expect((await call(read, { 'x-api-key': 'cw_test_abc' })).status).toBe(200);
  });

  test.each([
    ['missing', undefined, /x-api-key header/],
    ['empty', '', /empty/],
    ['unknown', 'cw_test_nobody_has_this', /unknown or was revoked/],
    ['of odd characters', 'ÿþ \u00e9 "\'; drop table api_keys;--', /unknown or was revoked/],
    ['very long', 'x'.repeat(10_000), /unknown or was revoked/],
  ])('that is %s answers 401 and says so', async (_name, text, reason) => {
    const { status, error } = await call(read, text === undefined ? {} : { 'x-api-key': text });
    expect(status).toBe(401);
    expect(error.code).toBe('UNAUTHORIZED');
    expect(error.message).toMatch(reason);
  });

  test('is refused where another workspace is asked for', async () => {
    const foreign = { 'x-api-key': key, 'x-workspace-id': 'ws_beta' };
    expect((await call(read, foreign)).error).toMatchObject({ code: 'FORBIDDEN' });
    expect((await call(read, { 'x-api-key': key }, '?workspaceId=ws_beta')).status).toBe(403);
    expect((await call(read, { ...foreign, 'x-workspace-id': 'ws_alpha' })).status).toBe(200);
  });

  test('that was cut off or mistyped is told apart by its checksum', async () => {
    const mistyped = `${key.slice(0, 20)}${key[20] === 'A' ? 'B' : 'A'}${key.slice(21)}`;
    for (const text of [mistyped, key.slice(0, -1), key.slice(0, 30), `${key}x`]) {
      const { status, error } = await call(read, { 'x-api-key': text });
      expect(status).toBe(401);
      expect(error.message, text).toMatch(/checksum/);
    }
  });

  test('is not kept anywhere in the database', async () => {
    const rows = await runtime.db.select().from(apiKeys);
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});

describe('a signed-in member', () => {
  test('acts in the workspace that the header or the query names', async () => {
    const byHeader = await call(membersOnly, inAlpha(owner.cookie));
    expect(byHeader.actor).toMatchObject({
      workspaceId: 'ws_alpha',
      kind: 'user',
      id: owner.userId,
      role: 'owner',
    });
    const byQuery = await call(read, { cookie: owner.cookie }, '?workspaceId=ws_alpha');
    expect(byQuery.actor.workspaceId).toBe('ws_alpha');
  });

  test('gets 403 for a workspace of others, existing or not', async () => {
    const foreign = await call(membersOnly, inAlpha(stranger.cookie));
    const missing = await call(membersOnly, { cookie: stranger.cookie, 'x-workspace-id': 'ws_none' });
    expect([foreign.status, missing.status]).toEqual([403, 403]);
    expect(foreign.error).toEqual(missing.error);
  });

  test.each(['%00', '%ED%A0%80', 'x'.repeat(600), "' or 1=1 --"])(
    'gets 403 for the workspace id %j',
    async (id) => {
      expect((await call(membersOnly, { cookie: owner.cookie }, `?workspaceId=${id}`)).status).toBe(403);
    },
  );

  test('is asked for the workspace when none is named', async () => {
    const { status, error } = await call(membersOnly, { cookie: owner.cookie });
    expect(status).toBe(400);
    expect(error.message).toContain('x-workspace-id: is required');
  });

  test('who only views reads but does not write, even where an operation names no role', async () => {
    expect((await call(read, inAlpha(viewer.cookie))).status).toBe(200);
    const { status, error } = await call(write, inAlpha(viewer.cookie));
    expect(status).toBe(403);
    expect(error.message).toContain('viewer');
  });

  test('needs no workspace for what belongs to the person', async () => {
    expect((await call(usersOnly, { cookie: viewer.cookie })).actor).toMatchObject({ userId: viewer.userId });
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another site, by Origin alone', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['a neighbouring port', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:4000' }],
    [
      'a host that only begins like ours',
      { origin: 'http://localhost:3000.evil.example', host: 'localhost:3000' },
    ],
  ])('cannot be made to write by %s', async (_name, headers) => {
    expect((await call(write, { ...inAlpha(owner.cookie), ...headers })).status).toBe(403);
  });

  test.each([
    ['this site', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' }],
    ['this site under another name', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
    ['this site behind a proxy that rewrites the host', { origin: 'http://localhost:3000', host: 'web-7' }],
    ['a program that is no browser', {}],
  ])('writes from %s', async (_name, headers) => {
    expect((await call(write, { ...inAlpha(owner.cookie), ...headers })).status).toBe(200);
  });

  test('reads from anywhere: other sites cannot see the answer', async () => {
    expect((await call(read, { ...inAlpha(owner.cookie), 'sec-fetch-site': 'cross-site' })).status).toBe(200);
  });

  test('with a forged or tampered cookie is nobody', async () => {
    const [name, value] = owner.cookie.split('=') as [string, string];
    for (const cookie of [
      `${name}=abc`,
      `${name}=${value.slice(0, -4)}AAAA`,
      `${name}=%00.%00`,
      'callwright.session_token=',
    ]) {
      expect((await call(read, { ...inAlpha(owner.cookie), cookie })).status).toBe(401);
    }
  });
});

test('a public operation serves everybody, wrong keys included', async () => {
  for (const headers of [{}, { 'x-api-key': 'wrong' }, { 'x-api-key': key }, { cookie: owner.cookie }]) {
    expect((await call(anybody, headers as Record<string, string>)).status).toBe(200);
  }
});

test('the request log names a key or a user by id only', async () => {
  const request = new Request('http://localhost:3000/api/read', { headers: inAlpha(owner.cookie) });
  const identity = await runtime.auth.identify(request, read);
  expect(identity).toMatchObject({ label: owner.userId, rateKey: `user:${owner.userId}` });
});

describe('requests without end', () => {
  let limited: TestRuntime;
  beforeAll(async () => {
    const clock = manualClock();
    limited = await startTestRuntime({ env: { RATE_LIMIT_PER_SECOND: '3' }, overrides: { clock } });
    await addWorkspace(limited, 'ws_alpha');
    await addKey(limited, 'ws_alpha', 'cw_test_busy');
    await addKey(limited, 'ws_alpha', 'cw_test_calm');
  });
  afterAll(async () => {
    await limited.close();
    setRuntime(runtime);
  });

  const statuses = async (count: number, headers: Record<string, string>) => {
    const answers = [];
    for (let sent = 0; sent < count; sent += 1) answers.push((await call(read, headers)).status);
    return answers;
  };

  test('of one key end in 429, and other keys do not notice', async () => {
    const busy = await statuses(12, { 'x-api-key': 'cw_test_busy' });
    expect(busy).toEqual([...Array<number>(10).fill(200), 429, 429]);
    expect(await statuses(3, { 'x-api-key': 'cw_test_calm' })).toEqual([200, 200, 200]);
  });

  test('with wrong keys end in 429 for their address, which still may use a right one', async () => {
    const guesser = { 'x-client-address': '198.51.100.9' };
    const guesses = await statuses(22, { ...guesser, 'x-api-key': 'cw_test_guess' });
    expect(guesses).toEqual([...Array<number>(20).fill(401), 429, 429]);
    expect(await statuses(1, { ...guesser, 'x-api-key': 'cw_test_calm' })).toEqual([200]);
    expect(await statuses(1, { 'x-client-address': '198.51.100.10', 'x-api-key': 'cw_test_guess' })).toEqual([
      401,
    ]);
  });

  test('say in the header when to come back', async () => {
    await statuses(12, { 'x-api-key': 'cw_test_busy' });
    const handler = route(read)(async () => ({ data: null }));
    const request = new Request('http://localhost:3000/api/read', {
      headers: { 'x-api-key': 'cw_test_busy' },
    });
    const response = await handler(request, { params: Promise.resolve({}) });
    expect(response.status).toBe(429);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(await response.json()).toMatchObject({ error: { code: 'RATE_LIMITED', statusCode: 429 } });
  });
});
