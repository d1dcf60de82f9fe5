import { afterAll, beforeAll, expect, test } from 'vitest';
import { GET, PATCH } from '#app/api/dashboard/workspace/route.ts';
import { GET as USAGE } from '#app/api/dashboard/workspace/usage/route.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Usage, Workspace } from './contract.ts';
import { monthAfter } from './rules.ts';

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;
let admin: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime({
    overrides: { clock: manualClock(new Date('2026-12-31T23:59:00.000Z')) },
  });
  alpha = await addWorkspace(runtime, 'ws_alpha');
  beta = await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
});

afterAll(() => runtime.close());

test('an admin changes what is given and leaves the rest, and the log shows before and after', async () => {
  const before = (await callRoute<Workspace>(GET, { as: viewer })).data;
  const change = { name: 'Alpha Dental', timeZone: 'Europe/Berlin', monthlyUsageLimitMinutes: 600 };
  const { status, data } = await callRoute<Workspace>(PATCH, { as: admin, body: change });
  expect(status).toBe(200);
  expect(data).toEqual({ ...before, ...change, updatedAt: '2026-12-31T23:59:00.000Z' });
  expect(await runtime.workspaces.get(alpha)).toEqual(data);
  const [event] = (await runtime.audit.list(alpha, { limit: 1 })).events;
  expect(event).toMatchObject({ action: 'workspace.settings.updated', actorLabel: admin.email });
  expect(event?.data).toEqual({
    name: { from: 'Workspace ws_alpha', to: 'Alpha Dental' },
    timeZone: { from: 'UTC', to: 'Europe/Berlin' },
    monthlyUsageLimitMinutes: { from: null, to: 600 },
  });
  expect((await runtime.workspaces.get(beta)).name).toBe('Workspace ws_beta');
});

test('no secret of the webhook is among the settings', async () => {
  expect(JSON.stringify((await callRoute(GET, { as: admin })).data)).not.toContain('whsec_');
});

test('the limit is taken away with null', async () => {
  await runtime.workspaces.update(beta, { monthlyUsageLimitMinutes: 5 });
  await runtime.workspaces.update(beta, { monthlyUsageLimitMinutes: null });
  expect((await runtime.workspaces.get(beta)).monthlyUsageLimitMinutes).toBeNull();
});

test('the country is one that there is, and null again for a guess', async () => {
  expect((await callRoute<Workspace>(PATCH, { as: admin, body: { country: 'AT' } })).data.country).toBe('AT');
  expect((await callRoute<Workspace>(PATCH, { as: admin, body: { country: null } })).data.country).toBeNull();
});

test.each([
  { country: 'Austria' },
  { country: 'XX' },
  { name: ' ' },
  { timeZone: 'Mars/Olympus' },
  { monthlyUsageLimitMinutes: -1 },
  { monthlyUsageLimitMinutes: 1.5 },
  { maxConcurrentCalls: 0 },
  { rateCard: { carrierCentsPerMinute: 1 } },
  { webhookSecret: 'whsec_mine' },
])('%j is refused', async (body) => {
  expect((await callRoute(PATCH, { as: admin, body })).status).toBe(400);
});

test('a viewer and an API key of another workspace change nothing', async () => {
  expect((await callRoute(PATCH, { as: viewer, body: { name: 'Mine' } })).status).toBe(403);
  const { key } = await runtime.keys.create(beta, { name: 'ci' });
  const headers = { 'x-api-key': key, 'x-workspace-id': 'ws_alpha' };
  expect((await callRoute(PATCH, { headers, body: { name: 'Mine' } })).status).toBe(403);
});

test('usage is that of this month in UTC, of this workspace, in minutes', async () => {
  await runtime.workspaces.update(alpha, { monthlyUsageLimitMinutes: 100 });
  await runtime.db.insert(usageMonths).values([
    { workspaceId: 'ws_alpha', month: '2026-12', usedSeconds: 95, reservedSeconds: 120 },
    { workspaceId: 'ws_alpha', month: '2026-11', usedSeconds: 9_999 },
    { workspaceId: 'ws_beta', month: '2026-12', usedSeconds: 9_999 },
  ]);
  expect((await callRoute<Usage>(USAGE, { as: viewer })).data).toEqual({
    month: '2026-12',
    resetsAt: '2027-01-01T00:00:00.000Z',
    usedMinutes: 1.58,
    reservedMinutes: 2,
    limitMinutes: 100,
    refusesIncomingAtLimit: false,
    remainingMinutes: 96.42,
  });
});

test('usage past a limit that was lowered leaves nothing, and no limit leaves no end', async () => {
  await runtime.workspaces.update(beta, { monthlyUsageLimitMinutes: 1 });
  expect(await runtime.workspaces.usage(beta)).toMatchObject({ usedMinutes: 166.65, remainingMinutes: 0 });
  await runtime.workspaces.update(beta, { monthlyUsageLimitMinutes: null });
  expect(await runtime.workspaces.usage(beta)).toMatchObject({ limitMinutes: null, remainingMinutes: null });
});

test.each([
  ['2026-01', '2026-02-01'],
  ['2026-12', '2027-01-01'],
])('after %s comes %s', (month, next) => {
  expect(monthAfter(month).toISOString()).toBe(`${next}T00:00:00.000Z`);
});
