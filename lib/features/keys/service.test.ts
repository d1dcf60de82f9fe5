import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETE } from '#app/api/dashboard/keys/[keyId]/route.ts';
import { GET, POST } from '#app/api/dashboard/keys/route.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { ApiKey } from './contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;
let admin: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  beta = await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
});

afterAll(() => runtime.close());

test('an admin makes a key, which is shown once, works, and is revoked', async () => {
  const made = await callRoute<ApiKey & { key: string }>(POST, { as: admin, body: { name: 'CRM' } });
  expect(made.status).toBe(201);
  expect(made.data).toMatchObject({ name: 'CRM', createdBy: admin.email, revokedAt: null, lastUsedAt: null });
  expect(made.data.lastFour).toBe(made.data.key.slice(-4));
  expect(await runtime.auth.keyRing.find(made.data.key)).toMatchObject({ workspaceId: 'ws_alpha' });

  const listed = await callRoute<ApiKey[]>(GET, { as: admin });
  expect(listed.data.map((key) => key.id)).toContain(made.data.id);
  expect(JSON.stringify(listed.data)).not.toContain(made.data.key);

  const revoked = await callRoute<ApiKey>(DELETE, { as: admin, params: { keyId: made.data.id } });
  expect(revoked.data.revokedAt).not.toBeNull();
  expect(await runtime.auth.keyRing.find(made.data.key)).toBeUndefined();
});

test('revoking twice keeps the time of the first', async () => {
  const { id } = await runtime.keys.create(alpha, { name: 'twice' });
  const first = await runtime.keys.revoke(alpha, id);
  expect(await runtime.keys.revoke(alpha, id)).toEqual(first);
  const { events } = await runtime.audit.list(alpha, { limit: 100, targetId: id });
  expect(events.map((event) => event.action)).toEqual(['key.revoked', 'key.created']);
});

test('a viewer sees the keys and can make or revoke none', async () => {
  const { id, key } = await runtime.keys.create(alpha, { name: 'kept' });
  expect((await callRoute(GET, { as: viewer })).status).toBe(200);
  expect((await callRoute(POST, { as: viewer, body: { name: 'mine' } })).status).toBe(403);
  expect((await callRoute(DELETE, { as: viewer, params: { keyId: id } })).status).toBe(403);
  expect(await runtime.auth.keyRing.find(key)).toBeDefined();
});

test('an API key makes no further keys', async () => {
  const { key } = await runtime.keys.create(alpha, { name: 'leaked' });
  expect((await callRoute(POST, { headers: { 'x-api-key': key }, body: { name: 'stays' } })).status).toBe(
    403,
  );
});

test('another workspace cannot revoke a key, and learns 403; nothing has an unknown id: 404', async () => {
  const { id, key } = await runtime.keys.create(beta, { name: 'foreign' });
  expect((await callRoute(DELETE, { as: admin, params: { keyId: id } })).status).toBe(403);
  expect((await callRoute(DELETE, { as: admin, params: { keyId: 'key_none' } })).status).toBe(404);
  expect(await runtime.auth.keyRing.find(key)).toBeDefined();
});

test.each([
  {},
  { name: '' },
  { name: '   ' },
  { name: 'x'.repeat(121) },
  { name: 'ok', workspaceId: 'ws_beta' },
])('the body %j is refused', async (body) => {
  expect((await callRoute(POST, { as: admin, body })).status).toBe(400);
});
