import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PUT as putPassword } from '#app/api/dashboard/me/password/route.ts';
import { PATCH as patchMe } from '#app/api/dashboard/me/route.ts';
import { DELETE as endOthers } from '#app/api/dashboard/sessions/route.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { Actor } from './actor.ts';
import { deleteOldAccountEvents } from './repository.ts';
import { addSignedInMember, addWorkspace, callRoute, PASSWORD, postSignIn, signIn } from './testing.ts';

let runtime: TestRuntime;
let alpha: Actor;
const clock = manualClock();

beforeAll(async () => {
  runtime = await startTestRuntime({ overrides: { clock } });
  alpha = await addWorkspace(runtime, 'ws_alpha');
});
afterAll(() => runtime.close());

async function eventsOf(userId: string) {
  const { events } = await runtime.audit.list(alpha, { limit: 100, targetId: userId });
  return events.toReversed();
}

describe('what happens to an account', () => {
  it('is in the log of its workspace: sign-in, name, password, sessions, sign-out', async () => {
    const person = await addSignedInMember(runtime, 'ws_alpha', 'member', 'person@alpha.test');
    await signIn(runtime, person.email, PASSWORD);
    await callRoute(patchMe, { as: person, body: { name: 'A new name' } });
    await callRoute(patchMe, { as: person, body: { name: 'A new name' } });
    await callRoute(endOthers, { as: person });
    await callRoute(endOthers, { as: person });
    const passwords = { currentPassword: PASSWORD, newPassword: 'another long one' };
    expect((await callRoute(putPassword, { as: person, body: passwords })).status).toBe(200);
    const out = new Request('http://localhost:3000/api/auth/sign-out', {
      method: 'POST',
      headers: { cookie: person.cookie },
    });
    expect((await runtime.auth.handle(out)).status).toBe(200);
    const events = await eventsOf(person.userId);
    expect(events.map((event) => event.action)).toEqual([
      'account.signed_in',
      'account.signed_in',
      'account.renamed',
      'account.sessions_ended',
      'account.password_changed',
      'account.signed_out',
    ]);
    expect(events[0]).toMatchObject({
      actorKind: 'user',
      actorLabel: person.email,
      data: { address: '203.0.113.5' },
    });
    expect(JSON.stringify(events)).not.toContain('another long one');
  });

  it('counts wrong passwords instead of writing a row for each, and writes none for unknown addresses', async () => {
    const person = await addSignedInMember(runtime, 'ws_alpha', 'member', 'guessed@alpha.test');
    const guess = (address: string, email = person.email) =>
      postSignIn(runtime, { email, password: 'a guess' }, { 'x-client-address': address });
    const refusals = async () =>
      (await eventsOf(person.userId)).filter((event) => event.action === 'account.sign_in_refused');
    const guessed = async () => (await refusals()).reduce((sum, event) => sum + Number(event.data.count), 0);
    for (let count = 0; count < 3; count++) await guess('203.0.113.77');
    await expect.poll(guessed).toBe(3);
    expect(await refusals()).toMatchObject([
      { actorKind: 'system', actorLabel: 'somebody', data: { count: 3, address: '203.0.113.77' } },
    ]);
    await clock.advance(3_600_000);
    await guess('203.0.113.77');
    await expect.poll(guessed).toBe(4);
    expect(await refusals()).toHaveLength(2);
    for (let count = 0; count < 40; count++) {
      const address = `198.51.100.${count}`;
      runtime.auth.accountLog.refused({ email: person.email, action: 'account.sign_in_refused', address });
    }
    await expect.poll(guessed).toBe(44);
    expect((await refusals()).length).toBeLessThanOrEqual(2 + 16);
    expect((await guess('203.0.113.77', 'nobody@alpha.test')).status).toBe(401);
    const { events } = await runtime.audit.list(alpha, { limit: 100 });
    expect(JSON.stringify(events)).not.toContain('nobody@alpha.test');
  });

  it('is forgotten after a time where it changed nothing', async () => {
    const person = await addSignedInMember(runtime, 'ws_alpha', 'member', 'old@alpha.test');
    await runtime.members.changeRole(alpha, person.userId, 'viewer');
    await deleteOldAccountEvents(runtime.db, new Date(clock.now().getTime() + 1));
    expect((await eventsOf(person.userId)).map((event) => event.action)).toEqual(['member.role.updated']);
  });
});
