import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PUT } from '#app/api/dashboard/members/[userId]/password/route.ts';
import { DELETE, PATCH } from '#app/api/dashboard/members/[userId]/route.ts';
import { GET, POST } from '#app/api/dashboard/members/route.ts';
import { hasPostgres } from '#db/testing.ts';
import {
  addSignedInMember,
  addWorkspace,
  callRoute,
  PASSWORD,
  postSignIn,
  type SignedInMember,
  signIn,
} from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Member } from './contract.ts';

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;
let owner: SignedInMember;
let admin: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  beta = await addWorkspace(runtime, 'ws_beta');
  owner = await addSignedInMember(runtime, 'ws_alpha', 'owner');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
});

afterAll(() => runtime.close());

const newMember = {
  email: 'New.Person@alpha.test',
  name: 'New Person',
  password: 'a first password',
  role: 'member',
};

describe('adding somebody', () => {
  test('makes an account that signs in with the initial password', { tags: ['postgres'] }, async () => {
    const { status, data } = await callRoute<Member>(POST, { as: owner, body: newMember });
    expect(status).toBe(201);
    expect(data).toMatchObject({
      email: 'new.person@alpha.test',
      name: 'New Person',
      role: 'member',
      lastSeenAt: null,
    });
    await signIn(runtime, 'new.person@alpha.test', 'a first password');
  });

  test('takes an account that exists as it is, and learns no more than its e-mail address', async () => {
    const outsider = await addSignedInMember(runtime, 'ws_beta', 'member');
    await callRoute(GET, { as: outsider });
    const { status, data } = await callRoute<Member>(POST, {
      as: owner,
      body: { email: outsider.email, name: 'Another Name', password: 'another password', role: 'viewer' },
    });
    expect(status).toBe(201);
    expect(data).toMatchObject({ userId: outsider.userId, name: null, lastSeenAt: null });
    await signIn(runtime, outsider.email, PASSWORD);
    const seenBy = async (as: SignedInMember) =>
      (await callRoute<Member[]>(GET, { as })).data.find((member) => member.userId === outsider.userId);
    expect(await seenBy(owner)).toMatchObject({ name: null, lastSeenAt: null });
    const log = await runtime.audit.list(alpha, { limit: 100, targetId: outsider.userId });
    expect(log.events.map((event) => event.action)).toEqual(['member.added']);

    await seenBy({ ...outsider, workspaceId: 'ws_alpha' });
    await expect.poll(() => seenBy(owner)).toMatchObject({ name: 'The member' });
    expect((await seenBy(owner))?.lastSeenAt).not.toBeNull();
  });

  test('twice is refused', async () => {
    const { status, error } = await callRoute(POST, {
      as: owner,
      body: { email: viewer.email, role: 'admin' },
    });
    expect(status).toBe(400);
    expect(error.message).toBe('email: is already a member of this workspace');
  });

  test('needs name and password for a new account', async () => {
    const { status, error } = await callRoute(POST, {
      as: owner,
      body: { email: 'bare@alpha.test', role: 'member' },
    });
    expect(status).toBe(400);
    expect(error.message).toMatch(/name: is required.*password: is required/);
    expect(await runtime.auth.findUserByEmail('bare@alpha.test')).toBeUndefined();
  });

  test('is for owners only', async () => {
    for (const as of [admin, viewer])
      expect((await callRoute(POST, { as, body: newMember })).status).toBe(403);
  });

  test.each([
    { ...newMember, role: 'king' },
    { ...newMember, email: 'no address' },
    { ...newMember, password: 'short' },
  ])('with %j is refused', async (body) => {
    expect((await callRoute(POST, { as: owner, body })).status).toBe(400);
  });
});

describe('roles', () => {
  test('a new role counts at the next request', async () => {
    const someone = await addSignedInMember(runtime, 'ws_alpha', 'viewer', 'rises@alpha.test');
    const change = { as: owner, params: { userId: someone.userId }, body: { role: 'owner' } };
    expect((await callRoute<Member>(PATCH, change)).data.role).toBe('owner');
    const back = { as: someone, params: { userId: someone.userId }, body: { role: 'viewer' } };
    expect((await callRoute<Member>(PATCH, back)).data.role).toBe('viewer');
    expect((await callRoute(PATCH, back)).status).toBe(403);
  });

  test('nobody raises themselves', async () => {
    const rise = { as: admin, params: { userId: admin.userId }, body: { role: 'owner' } };
    expect((await callRoute(PATCH, rise)).status).toBe(403);
  });

  test('the last owner can neither step down nor leave nor be removed', { tags: ['postgres'] }, async () => {
    const params = { userId: owner.userId };
    expect((await callRoute(PATCH, { as: owner, params, body: { role: 'admin' } })).error.code).toBe(
      'INVALID_STATE',
    );
    expect((await callRoute(DELETE, { as: owner, params })).error.code).toBe('INVALID_STATE');
    const { data } = await callRoute<Member[]>(GET, { as: owner });
    expect(data.filter((member) => member.role === 'owner').map((member) => member.userId)).toEqual([
      owner.userId,
    ]);
  });

  test.skipIf(!hasPostgres)(
    'two owners who demote each other at once leave one',
    { tags: ['postgres'] },
    async () => {
      const race = await addWorkspace(runtime, 'ws_race');
      const [one, two] = [
        await addSignedInMember(runtime, 'ws_race', 'owner', 'one@race.test'),
        await addSignedInMember(runtime, 'ws_race', 'owner', 'two@race.test'),
      ];
      await Promise.allSettled([
        runtime.members.changeRole(race, one.userId, 'viewer'),
        runtime.members.changeRole(race, two.userId, 'viewer'),
      ]);
      const owners = (await runtime.members.list(race)).filter((member) => member.role === 'owner');
      expect(owners).toHaveLength(1);
    },
  );
});

describe('removing somebody', () => {
  test('takes the workspace from them at once, and leaves their account', async () => {
    const someone = await addSignedInMember(runtime, 'ws_alpha', 'member', 'goes@alpha.test');
    expect((await callRoute(GET, { as: someone })).status).toBe(200);
    expect((await callRoute(DELETE, { as: owner, params: { userId: someone.userId } })).status).toBe(200);
    expect((await callRoute(GET, { as: someone })).status).toBe(403);
    await signIn(runtime, someone.email, PASSWORD);
  });

  test('others is for owners; leaving oneself is for everybody', async () => {
    const someone = await addSignedInMember(runtime, 'ws_alpha', 'viewer', 'leaves@alpha.test');
    expect((await callRoute(DELETE, { as: someone, params: { userId: viewer.userId } })).status).toBe(403);
    expect((await callRoute(DELETE, { as: someone, params: { userId: someone.userId } })).status).toBe(200);
  });

  test('who is no member here is 404, also for members of another workspace', async () => {
    const stranger = await addSignedInMember(runtime, 'ws_beta', 'owner', 'stranger@beta.test');
    expect((await callRoute(DELETE, { as: owner, params: { userId: stranger.userId } })).status).toBe(404);
    expect((await callRoute(DELETE, { as: owner, params: { userId: 'usr_none' } })).status).toBe(404);
  });
});

describe('a forgotten password', () => {
  test('is replaced by an owner, which ends the sessions opened with the old one', async () => {
    const someone = await addSignedInMember(runtime, 'ws_alpha', 'member', 'forgets@alpha.test');
    const reset = { as: owner, params: { userId: someone.userId }, body: { password: 'a new password' } };
    expect((await callRoute(PUT, reset)).status).toBe(200);
    expect((await callRoute(GET, { as: someone })).status).toBe(401);
    expect((await postSignIn(runtime, { email: someone.email, password: PASSWORD })).status).toBe(401);
    await signIn(runtime, someone.email, 'a new password');
  });

  test('of somebody who belongs elsewhere too is not an owner’s to replace', async () => {
    const shared = await addSignedInMember(runtime, 'ws_beta', 'member', 'shared@beta.test');
    await runtime.members.add(alpha, { email: shared.email, role: 'viewer' });
    const reset = { as: owner, params: { userId: shared.userId }, body: { password: 'taken over now' } };
    expect((await callRoute(PUT, reset)).status).toBe(403);
    await runtime.members.remove(beta, shared.userId);
    const { status, error } = await callRoute(PUT, reset);
    expect(status).toBe(403);
    expect(error.message).toBe('This account was not made in a workspace that you own');
    await signIn(runtime, shared.email, PASSWORD);
  });

  test('is no longer replaced by the owner who made the account once another workspace added it', async () => {
    const made = await addSignedInMember(runtime, 'ws_alpha', 'member', 'made@alpha.test');
    await runtime.members.add(beta, { email: made.email, role: 'viewer' });
    const reset = { as: owner, params: { userId: made.userId }, body: { password: 'taken over now' } };
    expect((await callRoute(PUT, reset)).status).toBe(403);
    await runtime.members.remove(beta, made.userId);
    expect((await callRoute(PUT, reset)).status).toBe(200);
  });
});

test('every change of members is in the audit log, without any password', async () => {
  const { events } = await runtime.audit.list(alpha, { limit: 100, action: 'member.' });
  expect(new Set(events.map((event) => event.action))).toEqual(
    new Set(['member.added', 'member.role.updated', 'member.removed', 'member.password.reset']),
  );
  expect(JSON.stringify(events)).not.toMatch(/password":"|a first password|a new password/);
});
