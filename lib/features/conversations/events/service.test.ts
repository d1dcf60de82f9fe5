import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET as streamCalls } from '#app/api/dashboard/calls/stream/route.ts';
import { sessions } from '#db/schema/auth.ts';
import { members } from '#db/schema/workspaces.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addSignedInMember, addWorkspace, type SignedInMember } from '#lib/auth/testing.ts';
import { recordEvent } from '#lib/features/calls/repository.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
/** Another process on the same database: nothing but the database tells the first one what happens here. */
let elsewhere: Runtime;
let owner: Actor;
let count = 0;
/** More than are kept for those who follow. */
const EVENTS = 1_100;
const LOOK_EVERY_MS = 2_000;
const hands = manualClock();
let looked = Promise.withResolvers<void>();
let looks = 0;
/** Tells when it was asked who may still read, and the time of the next look is waited for. */
const clock: Clock = {
  now: hands.now,
  sleep: (ms, signal) => {
    if (ms === LOOK_EVERY_MS) {
      looks += 1;
      looked.resolve();
    }
    return hands.sleep(ms, signal);
  },
};

beforeAll(async () => {
  runtime = await startTestRuntime({ overrides: { clock } });
  elsewhere = buildRuntime({ ...runtime });
  owner = await addWorkspace(runtime, 'ws_live');
});
afterAll(() => runtime.close());

async function open(
  as: SignedInMember,
  { after = '', signal }: { after?: string; signal?: AbortSignal } = {},
) {
  const url = `http://localhost:3000/api/dashboard/calls/stream?workspaceId=${as.workspaceId}`;
  const headers = { cookie: as.cookie, ...(after === '' ? {} : { 'last-event-id': after }) };
  const request = new Request(url, { headers, ...(signal ? { signal } : {}) });
  return streamCalls(request, { params: Promise.resolve({}) });
}

/** Opens a stream and answers whether it has ended, once so much time has passed. */
async function follow(as: SignedInMember) {
  const client = new AbortController();
  const response = await open(as, { signal: client.signal });
  let hasEnded = false;
  const text = response.text().finally(() => {
    hasEnded = true;
  });
  return {
    status: response.status,
    async hasEndedAfter(ms: number): Promise<boolean> {
      for (let passed = 0; passed < ms && !hasEnded; passed += LOOK_EVERY_MS) {
        looked = Promise.withResolvers();
        await hands.advance(LOOK_EVERY_MS);
        await Promise.race([looked.promise, text]);
      }
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
    expect(await stream.hasEndedAfter(2_000)).toBe(false);
    await happens(person);
    expect(await stream.hasEndedAfter(4_000)).toBe(true);
    expect((await follow(person)).status).toBeGreaterThanOrEqual(401);
  });
});

/** Reads a stream until it has brought so many events; gives their ids. */
async function readIds(response: Response, enough: number): Promise<number[]> {
  let text = '';
  for await (const bytes of response.body ?? []) {
    text += Buffer.from(bytes).toString();
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    if (ids.length >= enough) return ids;
  }
  throw new Error(`the stream ended before ${enough} events`);
}

describe('a live view that many follow', () => {
  it('is asked for once in two seconds whether they may, however often pages come and go', async () => {
    const person = await newViewer();
    for (let count = 0; count < 5; count += 1) await (await follow(person)).close();
    const stream = await follow(person);
    const before = looks;
    expect(await stream.hasEndedAfter(8_000)).toBe(false);
    expect(looks - before).toBe(4);
    await stream.close();
  });

  it('gives each of them everything once, whoever comes late as well', async () => {
    const line = await seedLine(runtime.db, 'many');
    const { conversationId: callId } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber('+15550109900'),
      variables: { name: 'Ann' },
    });
    const { workspaceId } = line.actor;
    const person = await addSignedInMember(runtime, workspaceId, 'viewer', 'many@live.test');
    const everything = async () => readIds(await open(person, { after: '0' }), 1 + EVENTS);
    const early = Array.from({ length: 5 }, everything);
    for (let count = 0; count < EVENTS; count += 1) {
      const event = { callId, type: 'call.dialing', data: { count }, at: clock.now() };
      await recordEvent(runtime.db, workspaceId, event);
      if (count % 50 === 49) await hands.advance(1_000);
    }
    let isRead = false;
    const reading = Promise.all([...early, everything()]).finally(() => (isRead = true));
    while (!isRead) {
      await hands.advance(1_000);
      // The database answers meanwhile.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const [first, ...others] = await reading;
    expect(first).toEqual([...new Set(first)].toSorted((a, b) => a - b));
    for (const other of others) expect(other).toEqual(first);
    const middle = String(first?.[EVENTS / 2]);
    expect(await readIds(await open(person, { after: middle }), EVENTS / 2)).toEqual(
      first?.slice(EVENTS / 2 + 1),
    );
  });

  it('has room for so many of one person, who is told so, and again once they close one', async () => {
    const [person, another] = [await newViewer(), await newViewer()];
    const clients = Array.from({ length: 50 }, () => new AbortController());
    for (const { signal } of clients) expect((await open(person, { signal })).status).toBe(200);
    const refused = await open(person);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('15');
    expect(await refused.text()).toContain('You already follow 50 live views; close some first');
    const stays = new AbortController();
    expect((await open(another, { signal: stays.signal })).status).toBe(200);
    clients[0]?.abort();
    expect((await open(person, { signal: stays.signal })).status).toBe(200);
    for (const client of [...clients, stays]) client.abort();
  });
});
