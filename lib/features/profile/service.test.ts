import { afterAll, beforeAll, expect, test } from 'vitest';
import { DELETE as REVOKE } from '#app/api/dashboard/sessions/[sessionId]/route.ts';
import { DELETE as REVOKE_OTHERS, GET as LIST } from '#app/api/dashboard/sessions/route.ts';
import { PUT as CHANGE_PASSWORD } from '#app/api/dashboard/me/password/route.ts';
import { GET as ME, PATCH as RENAME } from '#app/api/dashboard/me/route.ts';
import { eq } from 'drizzle-orm';
import { sessions } from '#db/schema/auth.ts';
import {
  addSignedInMember,
  addWorkspace,
  callRoute,
  PASSWORD,
  postSignIn,
  type SignedInMember,
  signIn,
} from '#lib/auth/testing.ts';
import { deleteExpiredSessions } from '#lib/auth/repository.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Me, Session } from './contract.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime();
  await addWorkspace(runtime, 'ws_alpha');
  await addWorkspace(runtime, 'ws_beta');
});

afterAll(() => runtime.close());

const person = (email: string) => addSignedInMember(runtime, 'ws_alpha', 'member', email);
const elsewhere = async (who: SignedInMember) => ({
  ...who,
  cookie: await signIn(runtime, who.email, PASSWORD),
});

test('a person sees themselves and their workspaces with their role in each', async () => {
  const who = await person('me@alpha.test');
  expect((await callRoute<Me>(ME, { as: who })).data).toEqual({
    user: { id: who.userId, name: 'The member', email: 'me@alpha.test' },
    workspaces: [{ id: 'ws_alpha', name: 'Workspace ws_alpha', role: 'member' }],
  });
  expect((await callRoute<Me>(RENAME, { as: who, body: { name: 'Renamed' } })).data.user.name).toBe(
    'Renamed',
  );
  expect((await callRoute(ME, {})).status).toBe(401);
});

test('a person sees where they are signed in and signs one place out at once', async () => {
  const here = await person('places@alpha.test');
  const there = await elsewhere(here);
  const { data } = await callRoute<Session[]>(LIST, { as: here });
  expect(data.filter((each) => each.isCurrent)).toHaveLength(1);
  expect(data).toHaveLength(2);
  expect(data[0]).toMatchObject({ ipAddress: '203.0.113.5' });
  expect(JSON.stringify(data)).not.toContain(
    decodeURIComponent(here.cookie.split('=')[1] ?? '').split('.')[0],
  );
  const other = data.find((each) => !each.isCurrent);
  expect((await callRoute(REVOKE, { as: here, params: { sessionId: other?.id ?? '' } })).status).toBe(200);
  expect((await callRoute(ME, { as: there })).status).toBe(401);
  expect((await callRoute(ME, { as: here })).status).toBe(200);
});

test('a person signs out everywhere else', async () => {
  const here = await person('everywhere@alpha.test');
  const others = [await elsewhere(here), await elsewhere(here)];
  expect((await callRoute(REVOKE_OTHERS, { as: here })).data).toEqual({ revoked: 2 });
  for (const other of others) expect((await callRoute(ME, { as: other })).status).toBe(401);
});

test('another person’s session is not found', async () => {
  const [mine, theirs] = [await person('mine@alpha.test'), await person('theirs@alpha.test')];
  const [session] = (await callRoute<Session[]>(LIST, { as: theirs })).data;
  expect((await callRoute(REVOKE, { as: mine, params: { sessionId: session?.id ?? '' } })).status).toBe(404);
  expect((await callRoute(ME, { as: theirs })).status).toBe(200);
});

test('changing the password needs the current one, and signs out everywhere else', async () => {
  const here = await person('changes@alpha.test');
  const there = await elsewhere(here);
  const change = (currentPassword: string) =>
    callRoute(CHANGE_PASSWORD, { as: here, body: { currentPassword, newPassword: 'a better password' } });
  const wrong = await change('not it at all');
  expect([wrong.status, wrong.error.message]).toEqual([400, 'currentPassword: is wrong']);
  expect((await change(PASSWORD)).status).toBe(200);
  expect((await callRoute(ME, { as: here })).status).toBe(200);
  expect((await callRoute(ME, { as: there })).status).toBe(401);
  expect((await postSignIn(runtime, { email: here.email, password: PASSWORD })).status).toBe(401);
  await signIn(runtime, here.email, 'a better password');
});

test('who holds a stolen session cannot try out the current password for long', async () => {
  const who = await person('stolen@alpha.test');
  const statuses = [];
  for (let guess = 0; guess < 12; guess += 1) {
    const body = { currentPassword: `guess ${guess}`, newPassword: 'a better password' };
    statuses.push((await callRoute(CHANGE_PASSWORD, { as: who, body })).status);
  }
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
});

test('a session past its end is nobody’s, and is swept', async () => {
  const who = await person('late@alpha.test');
  const end = new Date('2020-01-01T00:00:00.000Z');
  await runtime.db.update(sessions).set({ expiresAt: end }).where(eq(sessions.userId, who.userId));
  await deleteExpiredSessions(runtime.db, end);
  expect(await runtime.db.select().from(sessions).where(eq(sessions.userId, who.userId))).toHaveLength(1);
  expect((await callRoute(ME, { as: who })).status).toBe(401);
  await deleteExpiredSessions(runtime.db, new Date('2020-01-01T00:00:00.001Z'));
  expect(await runtime.db.select().from(sessions).where(eq(sessions.userId, who.userId))).toEqual([]);
});
