import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETE, PATCH } from '#app/api/dashboard/tags/[name]/route.ts';
import { GET as LIST, POST } from '#app/api/dashboard/tags/route.ts';
import { GET as SYSTEM } from '#app/api/tags/route.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { CustomTag } from './contract.ts';
import { MAX_CUSTOM_TAGS } from './rules.ts';

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

test('a tag takes the letters of any language, and spaces as _', async () => {
  const body = { name: ' Rückruf erwünscht ', description: 'Wants to be called back.' };
  const made = await callRoute<{ name: string }>(POST, { as: admin, body });
  expect([made.status, made.data.name]).toEqual([201, 'Rückruf_erwünscht']);
  const gone = await callRoute(DELETE, { as: admin, params: { name: 'Rückruf_erwünscht' } });
  expect(gone.status).toBe(200);
});

test('GET /tags gives the seven system tags to anybody, custom ones to nobody', async () => {
  await runtime.tags.create(alpha, { name: 'vip', description: 'An important caller.' });
  const { key } = await runtime.keys.create(alpha, { name: 'ci' });
  const without = await callRoute<Record<string, string>>(SYSTEM);
  const withKey = await callRoute(SYSTEM, { headers: { 'x-api-key': key } });
  expect([without.status, withKey.status]).toEqual([200, 200]);
  expect(withKey.data).toEqual(without.data);
  expect(Object.keys(without.data)).toEqual([
    'transferred',
    'voicemail',
    'voicemail_no_message',
    'appointment_booked',
    'callback_scheduled',
    'not_interested',
    'action_needed',
  ]);
  for (const description of Object.values(without.data)) expect(description.length).toBeGreaterThan(40);
});

test('a workspace adds, rewords and removes tags of its own', async () => {
  const made = await callRoute<CustomTag>(POST, {
    as: admin,
    body: { name: 'wants_invoice', description: 'Asked for an invoice.' },
  });
  expect(made.status).toBe(201);
  const params = { name: 'wants_invoice' };
  const reworded = await callRoute<CustomTag>(PATCH, {
    as: admin,
    params,
    body: { description: 'Wants it by post.' },
  });
  expect(reworded.data).toEqual({ ...made.data, description: 'Wants it by post.' });
  const listed = await callRoute<{ custom: CustomTag[] }>(LIST, { as: viewer });
  expect(listed.data.custom).toContainEqual(reworded.data);
  expect((await callRoute(DELETE, { as: admin, params })).status).toBe(200);
  expect((await callRoute(DELETE, { as: admin, params })).status).toBe(404);
});

test('a name is taken once per workspace, and never from the system', async () => {
  const body = { name: 'twice', description: 'Once.' };
  expect((await callRoute(POST, { as: admin, body })).status).toBe(201);
  expect((await callRoute(POST, { as: admin, body })).error.message).toBe(
    'name: is already a tag of this workspace',
  );
  expect((await callRoute(POST, { as: admin, body: { ...body, name: 'voicemail' } })).error.message).toBe(
    'name: is a system tag',
  );
  await expect(runtime.tags.create(beta, body)).resolves.toMatchObject({ name: 'twice' });
  await runtime.tags.remove(beta, 'twice');
  expect((await runtime.tags.list(alpha)).custom.map((tag) => tag.name)).toContain('twice');
});

test.each([
  { name: 'a/b' },
  { name: '' },
  { name: 'x'.repeat(65) },
  { name: 'ok', description: ' ' },
  { name: 'ok', description: 'x'.repeat(501) },
])('%j is refused', async (given) => {
  expect((await callRoute(POST, { as: admin, body: { description: 'A rule.', ...given } })).status).toBe(400);
});

test('a name that objects have by nature is a name like any other', async () => {
  await expect(
    runtime.tags.create(alpha, { name: 'constructor', description: 'Asked for the builder.' }),
  ).resolves.toMatchObject({ name: 'constructor' });
});

test('there is an end to custom tags', async () => {
  for (let count = 0; count < MAX_CUSTOM_TAGS; count += 1)
    await runtime.tags.create(beta, { name: `tag_${count}`, description: 'A rule.' });
  await expect(runtime.tags.create(beta, { name: 'one_more', description: 'A rule.' })).rejects.toMatchObject(
    { code: 'INVALID_STATE' },
  );
});

test('a viewer changes no tags', async () => {
  expect((await callRoute(POST, { as: viewer, body: { name: 'mine', description: 'Mine.' } })).status).toBe(
    403,
  );
  expect((await callRoute(DELETE, { as: viewer, params: { name: 'vip' } })).status).toBe(403);
});
