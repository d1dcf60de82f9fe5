/** @module-tag postgres */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { calls } from '#db/schema/calls.ts';
import { agentSplits } from '#db/schema/versions.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { addEndedCalls } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let actor: Actor;

beforeAll(async () => {
  runtime = await startTestRuntime();
  actor = await addWorkspace(runtime, 'ws_split_results');
});
afterAll(() => runtime.close());

const DAY_MS = 86_400_000;
let made = 0;

type Given = Partial<typeof calls.$inferInsert>;

async function add(count: number, given: Given): Promise<void> {
  const rows = Array.from({ length: count }, () => ({
    id: `cnv_compared_${(made += 1)}`,
    workspaceId: actor.workspaceId,
    disposition: 'COMPLETED' as const,
    sentiment: 'POSITIVE' as const,
    durationSeconds: 40,
    cost: 2,
    ...given,
  }));
  await addEndedCalls(runtime.db, rows as Parameters<typeof addEndedCalls>[1]);
}

const booked = (value: boolean): Given => ({
  results: [
    { name: 'booked', type: 'yes_no', value, quotes: [], question: '' },
  ] as unknown as Given['results'],
});

it('what versions came to stands side by side, of days that are over, of today and of the hours at both ends', async () => {
  const { id: agentId } = await runtime.agents.create(actor, { name: 'Front desk', inboundPrompt: 'First.' });
  await runtime.agents.setInboundPrompt(actor, agentId, { inboundPrompt: 'Second.' });
  const { versions } = await runtime.history.list(actor, agentId, { limit: 5 });
  const [second, first] = versions.map(({ id }) => id);
  const split = await runtime.splits.start(actor, agentId, { versionId: first ?? '', percent: 50 });
  // Begun in the middle of a day of three days ago.
  const startedAt = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - 3 * DAY_MS + DAY_MS / 2);
  await runtime.db.update(agentSplits).set({ startedAt }).where(eq(agentSplits.id, split.id));
  const at = (days: number) => new Date(startedAt.getTime() + days * DAY_MS);
  const shared = { agentId, agentVersionId: first ?? '' };
  const published = { agentId, agentVersionId: second ?? '' };
  await add(9, { ...shared, dateInitiated: at(0.1), ...booked(true) });
  await add(30, { ...shared, dateInitiated: at(1), ...booked(true), durationSeconds: 100 });
  await add(5, { ...shared, dateInitiated: at(2), disposition: 'VOICEMAIL', sentiment: null });
  await add(30, { ...published, dateInitiated: at(1), ...booked(false) });
  await add(10, { ...published, dateInitiated: at(2), ...booked(true), sentiment: 'NEGATIVE' });
  // Before it began, tests, other agents and conversations without a version are not compared.
  await add(50, { ...published, dateInitiated: at(-0.1) });
  await add(3, { ...shared, dateInitiated: at(1), isTest: true });
  await add(3, { agentId, dateInitiated: at(1) });

  const found = await runtime.splits.get(actor, split.id);
  expect(found.versions).toMatchObject([
    { number: 1, part: 'shared', conversations: 44, calls: 44, chats: 0, costPerConversation: 2 },
    { number: 2, part: 'published', conversations: 40, duration: { count: 40 } },
  ]);
  expect(found.versions[0]?.share).toBeCloseTo(44 / 84);
  const rate = (kind: string, name = '') =>
    found.rates.find(
      ({ what }) =>
        what.kind === kind &&
        [name, ''].includes(
          what.kind === 'outcome' ? what.outcome : what.kind === 'sentiment' ? what.sentiment : '',
        ),
    );
  expect(rate('reached')?.values).toMatchObject([
    { count: 39, of: 44 },
    { count: 40, of: 40 },
  ]);
  expect(rate('outcome', 'VOICEMAIL')?.values).toMatchObject([
    { count: 5, of: 44 },
    { count: 0, of: 40 },
  ]);
  expect(rate('sentiment', 'NEGATIVE')?.values).toMatchObject([
    { count: 0, of: 39 },
    { count: 10, of: 40 },
  ]);
  expect(rate('sentiment', 'NEGATIVE')?.difference?.verdict).toBe('lower');
  expect(rate('result')).toMatchObject({
    what: { name: 'booked', type: 'yes_no' },
    values: [
      { count: 39, of: 39 },
      { count: 10, of: 40 },
    ],
    difference: { verdict: 'higher' },
  });
  expect(found.durationVerdict).toBe('higher');
  const listed = await runtime.conversations.listCalls(actor, {
    versionId: first,
    tests: 'without',
    limit: 1,
    skip: 0,
  });
  expect(listed.totalCount).toBe(44);

  // What is added up already changes with its conversations, and what comes later is added.
  await add(1, { ...shared, dateInitiated: at(1) });
  expect((await runtime.splits.get(actor, split.id)).versions[0]?.conversations).toBe(45);
});
