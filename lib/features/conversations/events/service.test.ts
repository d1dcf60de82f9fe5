import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as streamCalls } from '#app/api/dashboard/calls/stream/route.ts';
import { sessions } from '#db/schema/auth.ts';
import { members } from '#db/schema/workspaces.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, type SignedInMember } from '#lib/auth/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
/** Another process on the same database: nothing but the database tells the first one what happens here. */
let elsewhere: Runtime;
let owner: Actor;
let count = 0;
const POLL_MS = 500;
const hands = manualClock();
let asleep = Promise.withResolvers<void>();
/** Tells when the stream has looked and waits for the time of its next look. */
const clock: Clock = {
  now: hands.now,
  sleep: (ms, signal) => {
    asleep.resolve();
    return hands.sleep(ms, signal);
  },
};

beforeAll(async () => {
  runtime = await startTestRuntime({ overrides: { clock } });
  elsewhere = buildRuntime({ ...runtime });
  owner = await addWorkspace(runtime, 'ws_live');
});
afterAll(() => runtime.close());

/** Opens a stream and answers whether it has ended, once so much time has passed. */
async function follow(as: SignedInMember) {
  const url = `http://localhost:3000/api/dashboard/calls/stream?workspaceId=${as.workspaceId}`;
  const client = new AbortController();
  const request = new Request(url, { headers: { cookie: as.cookie }, signal: client.signal });
  const response = await streamCalls(request, { params: Promise.resolve({}) });
  let hasEnded = false;
  const text = response.text().finally(() => {
    hasEnded = true;
  });
  return {
    status: response.status,
    async hasEndedAfter(ms: number): Promise<boolean> {
      for (let passed = 0; passed < ms && !hasEnded; passed += POLL_MS) {
        await Promise.race([asleep.promise, text]);
        asleep = Promise.withResolvers();
        await hands.advance(POLL_MS);
      }
      await Promise.race([asleep.promise, text]);
      return hasEnded;
    },
    async close(): Promise<void> {
      client.abort();
      await text;
    },
  };
}

const newViewer = () => addSignedInMember(runtime, 'ws_live', 'viewer', `viewer${++count}@live.test`);
const ofUser = (person: SignedInMember) => ({
  userId: person.userId,
  email: person.email,
  sessionId: 'none',
});

describe('a live view', () => {
  it('goes on while nothing happens to its reader', async () => {
    const stream = await follow(await newViewer());
    expect(stream.status).toBe(200);
    expect(await stream.hasEndedAfter(10_000)).toBe(false);
    await stream.close();
  });

  it.each<[string, (person: SignedInMember) => Promise<unknown>]>([
    ['was signed out', (person) => elsewhere.profile.revokeOtherSessions(ofUser(person))],
    ['was removed', (person) => elsewhere.members.remove(owner, person.userId)],
    ['has another password', (person) => elsewhere.auth.setPassword(person.userId, 'another long one')],
    [
      'has a session past its end',
      (person) =>
        runtime.db
          .update(sessions)
          .set({ expiresAt: new Date(0) })
          .where(eq(sessions.userId, person.userId)),
    ],
    [
      'has a membership no longer, by whatever way',
      (person) =>
        runtime.db
          .delete(members)
          .where(and(eq(members.userId, person.userId), eq(members.workspaceId, 'ws_live'))),
    ],
  ])('ends within seconds when its reader %s, on another process too', async (_, happens) => {
    const person = await newViewer();
    const stream = await follow(person);
    expect(await stream.hasEndedAfter(1_000)).toBe(false);
    await happens(person);
    expect(await stream.hasEndedAfter(5_000)).toBe(true);
    expect((await follow(person)).status).toBeGreaterThanOrEqual(401);
  });
});
