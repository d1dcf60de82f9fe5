import { afterAll, beforeAll, expect, test } from 'vitest';
import { GET } from '#app/api/dashboard/audit/route.ts';
import { auditEvents } from '#db/schema/keys.ts';
import { addSignedInMember, addWorkspace, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { AuditEvent } from './contract.ts';
import { changesBetween, recordAudit } from './service.ts';

type Page = { events: AuditEvent[]; nextCursor: string | null };

let runtime: TestRuntime;
let alpha: Actor;
let beta: Actor;
let admin: SignedInMember;

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await addWorkspace(runtime, 'ws_alpha');
  beta = await addWorkspace(runtime, 'ws_beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  for (let count = 0; count < 7; count += 1) {
    await recordAudit(runtime.db, runtime.clock, alpha, {
      action: 'thing.made',
      targetId: `thing_${count}`,
      data: { count },
    });
  }
  await recordAudit(runtime.db, runtime.clock, alpha, { action: 'other.made', targetId: 'thing_0' });
  await recordAudit(runtime.db, runtime.clock, beta, { action: 'thing.made', targetId: 'thing_beta' });
});

afterAll(() => runtime.close());

const targets = (page: Page) => page.events.map((event) => event.targetId);

test('pages come latest first, without gap or repeat, also when more is written meanwhile', async () => {
  const query = { limit: '3', action: 'thing.' };
  const first = (await callRoute<Page>(GET, { as: admin, query })).data;
  await recordAudit(runtime.db, runtime.clock, alpha, { action: 'thing.made', targetId: 'thing_late' });
  const second = (
    await callRoute<Page>(GET, { as: admin, query: { ...query, cursor: first.nextCursor ?? '' } })
  ).data;
  const third = (
    await callRoute<Page>(GET, { as: admin, query: { ...query, cursor: second.nextCursor ?? '' } })
  ).data;
  expect([...targets(first), ...targets(second), ...targets(third)]).toEqual(
    [6, 5, 4, 3, 2, 1, 0].map((count) => `thing_${count}`),
  );
  expect(third.nextCursor).toBeNull();
});

test('a page can be narrowed to one target', async () => {
  const { data } = await callRoute<Page>(GET, { as: admin, query: { targetId: 'thing_0' } });
  expect(data.events.map((event) => event.action)).toEqual(['other.made', 'thing.made']);
});

test('wildcards in the wanted action are plain characters', async () => {
  expect((await callRoute<Page>(GET, { as: admin, query: { action: '%' } })).data.events).toEqual([]);
});

test('another workspace’s events are never among them', async () => {
  const { events } = await runtime.audit.list(beta, { limit: 100 });
  expect(events.map((event) => event.targetId)).toEqual(['thing_beta']);
});

test('the log is for admins', async () => {
  const member = await addSignedInMember(runtime, 'ws_alpha', 'member');
  expect((await callRoute(GET, { as: member })).status).toBe(403);
});

test.each([{ limit: '0' }, { limit: '101' }, { cursor: 'abc' }, { cursor: '9'.repeat(16) }])(
  '%j is refused',
  async (query) => {
    expect((await callRoute(GET, { as: admin, query: query as Record<string, string> })).status).toBe(400);
  },
);

test('an event goes when the transaction of its change goes', async () => {
  const count = () => runtime.db.$count(auditEvents);
  const before = await count();
  const failing = runtime.db.transaction(async (tx) => {
    await recordAudit(tx, runtime.clock, alpha, { action: 'thing.made', targetId: 'thing_undone' });
    throw new Error('the change failed');
  });
  await expect(failing).rejects.toThrow('the change failed');
  expect(await count()).toBe(before);
});

test('only what really changed is noted', () => {
  const before = { name: 'A', limit: 3 as number | null, card: { a: 1 } };
  expect(changesBetween(before, { name: 'A', limit: null, card: { a: 1 } })).toEqual({
    limit: { from: 3, to: null },
  });
});
