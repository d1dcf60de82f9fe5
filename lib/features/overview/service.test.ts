// @module-tag postgres
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET } from '#app/api/dashboard/overview/route.ts';
import { queryRows } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { calls, turns } from '#db/schema/calls.ts';
import { figureChanges } from '#db/schema/figures.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { addSignedInMember, callRoute } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import type { DISPOSITIONS } from '#lib/ports/call-kinds.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Overview } from './contract.ts';
import { keepUp } from './jobs.ts';

let runtime: TestRuntime;
let line: SeededLine;
let other: SeededLine;
let ids = 0;

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'mine', { workspace: { timeZone: 'Europe/Berlin' } });
  other = await seedLine(runtime.db, 'other', { workspace: { timeZone: 'Asia/Kolkata' } });
});
afterAll(() => runtime.close());

type Given = Partial<typeof calls.$inferInsert>;

async function add(at: string, given: Given = {}, owner: SeededLine = line): Promise<string> {
  ids += 1;
  const id = `cnv_overview_${ids}`;
  await addEndedCall(runtime.db, {
    id,
    workspaceId: owner.actor.workspaceId,
    agentId: owner.agentId,
    dateInitiated: new Date(at),
    disposition: 'COMPLETED',
    tags: [],
    durationSeconds: 60,
    cost: 1.5,
    ...given,
  });
  return id;
}

const get = (asked: Parameters<TestRuntime['overview']['get']>[1], owner = line): Promise<Overview> =>
  runtime.overview.get(owner.actor, asked);

const OUTCOMES_OF_A_DAY: (typeof DISPOSITIONS)[number][] = [
  'COMPLETED',
  'COMPLETED',
  'VOICEMAIL',
  'FAILED',
  'APPOINTMENT_BOOKED',
];

describe('the figures of a range', () => {
  it('add up calls by day beside the days before, and leave tests out', async () => {
    for (const [index, disposition] of OUTCOMES_OF_A_DAY.entries()) {
      const sentiment = index === 0 ? 'NEGATIVE' : disposition === 'FAILED' ? null : 'POSITIVE';
      await add(`2026-05-10T1${index}:00:00Z`, {
        disposition,
        sentiment,
        tags: index === 0 ? ['action_needed', 'price'] : ['price'],
        outboundPromptId: line.promptId,
      });
    }
    await add('2026-05-10T12:00:00Z', { direction: 'INBOUND', disposition: 'ABANDONED' });
    await add('2026-05-10T12:00:00Z', {
      channel: 'chat',
      direction: 'INBOUND',
      cost: 0.5,
      durationSeconds: 900,
    });
    await add('2026-05-10T12:00:00Z', { isTest: true });
    await add('2026-05-08T12:00:00Z', { tags: ['price'] });
    await add('2026-05-10T12:00:00Z', {}, other);

    const found = await get({ from: '2026-05-10', to: '2026-05-11' });
    expect(found.totals.current).toMatchObject({
      calls: 6,
      chats: 1,
      outbound: 5,
      reached: 3,
      minutes: 6,
      cost: 9.5,
      outcomes: {
        COMPLETED: 2,
        VOICEMAIL: 1,
        FAILED: 1,
        APPOINTMENT_BOOKED: 1,
        ABANDONED: 1,
        TRANSFERRED: 0,
      },
      sentiments: { POSITIVE: 4, NEGATIVE: 1, NEUTRAL: 0, N_A: 1 },
      answerTime: null,
    });
    expect(found.totals.before).toMatchObject({ calls: 1, cost: 1.5 });
    expect(found.periods.map((period) => period.calls)).toEqual([6, 0]);
    expect(found.tags).toEqual([
      { tag: 'price', calls: 5, before: 1, periods: [5, 0] },
      { tag: 'action_needed', calls: 1, before: 0, periods: [1, 0] },
    ]);
    expect(found.agents).toMatchObject([{ name: 'Agent mine', current: { calls: 6 }, before: { calls: 1 } }]);
    expect(found.prompts).toMatchObject([
      { title: 'Reminder', agentName: 'Agent mine', current: { calls: 5 }, before: { calls: 0 } },
    ]);
  });

  it('follow whatever changes about a conversation that has ended', async () => {
    const asked = { from: '2026-05-20', to: '2026-05-21' };
    const id = await add('2026-05-20T12:00:00Z', { tags: ['first'] });
    expect((await get(asked)).tags).toMatchObject([{ tag: 'first', calls: 1 }]);
    await runtime.db
      .update(calls)
      .set({ tags: ['second'], cost: 7 })
      .where(eq(calls.id, id));
    const changed = await get(asked);
    expect([changed.tags[0]?.tag, changed.totals.current.cost]).toEqual(['second', 7]);
    await runtime.db
      .update(calls)
      .set({ dateInitiated: new Date('2026-05-21T12:00:00Z') })
      .where(eq(calls.id, id));
    expect((await get(asked)).periods.map((period) => period.calls)).toEqual([0, 1]);
    await runtime.db.delete(calls).where(eq(calls.id, id));
    expect((await get(asked)).totals.current.calls).toBe(0);
  });

  it('count a call in the day of the workspace, also after it has moved to another time zone', async () => {
    // 23:30 in Berlin, and the next day in Kolkata.
    await add('2026-06-03T21:30:00Z');
    const days = async () =>
      (await get({ from: '2026-06-03', to: '2026-06-04' })).periods.map((period) => period.calls);
    const moveTo = (timeZone: string) =>
      runtime.db.update(workspaces).set({ timeZone }).where(eq(workspaces.id, line.actor.workspaceId));
    expect(await days()).toEqual([1, 0]);
    await moveTo('Asia/Kolkata');
    expect(await days()).toEqual([0, 1]);
    await add('2026-06-03T21:40:00Z');
    await moveTo('Europe/Berlin');
    expect(await days()).toEqual([2, 0]);
  });

  it('of a day by hour agree with those of the day', async () => {
    // The hour that comes twice when clocks go back.
    await add('2025-10-26T00:30:00Z', { outboundPromptId: line.promptId, tags: ['price'] });
    await add('2025-10-26T01:30:00Z', { sentiment: 'NEGATIVE' });
    await add('2025-10-26T22:59:59Z');
    await add('2025-10-25T12:00:00Z');
    const byHour = await get({ from: '2025-10-26', to: '2025-10-26' });
    const byDay = await get({ from: '2025-10-26', to: '2025-10-27' });
    expect(byHour.periods).toHaveLength(25);
    expect(byHour.periods.flatMap((hour, index) => (hour.calls > 0 ? [index] : []))).toEqual([2, 3, 24]);
    expect(byHour.totals.current).toEqual(byDay.totals.current);
    expect(byHour.totals.before.calls).toBe(1);
    expect(byHour.prompts[0]?.current).toEqual(byDay.prompts[0]?.current);
  });

  it('tell how long people waited for answers', async () => {
    const callId = await add('2026-07-01T12:00:00Z');
    const timings = (totalMs: number) => ({
      transcriptionMs: 0,
      endOfTurnMs: 0,
      firstTokenMs: null,
      firstAudioMs: 0,
      totalMs,
    });
    await runtime.db.insert(turns).values(
      [550, 650, 650, 750, 9_000].map((totalMs, seq) => ({
        id: `trn_overview_${seq}`,
        callId,
        workspaceId: line.actor.workspaceId,
        seq,
        speaker: 'agent' as const,
        text: 'Yes.',
        startedMs: 0,
        endedMs: 1,
        timings: timings(totalMs),
      })),
    );
    const { answerTime } = (await get({ from: '2026-07-01', to: '2026-07-02' })).totals.current;
    expect(answerTime?.count).toBe(5);
    expect(answerTime?.medianMs).toBeGreaterThanOrEqual(600);
    expect(answerTime?.medianMs).toBeLessThan(700);
    expect(answerTime?.slowestMs).toBeGreaterThan(8_000);
  });

  it('of an agent or prompt that was deleted stay', async () => {
    await runtime.db.insert(agents).values({
      id: 'agent_gone',
      workspaceId: line.actor.workspaceId,
      name: 'Gone',
      createdAt: new Date(),
      updatedAt: new Date(),
      deletedAt: new Date(),
    });
    await add('2026-07-10T12:00:00Z', { agentId: 'agent_gone', outboundPromptId: 'prompt_gone' });
    await add('2026-07-10T12:00:00Z');
    const found = await get({ from: '2026-07-10', to: '2026-07-11', agentId: 'agent_gone' });
    expect(found.totals.current.calls).toBe(1);
    expect(found.agents).toMatchObject([{ name: 'Gone', isDeleted: true }]);
    expect(found.prompts).toMatchObject([{ promptId: 'prompt_gone', title: null, agentName: 'Gone' }]);
  });

  it('show the most frequent of ten thousand tags, and how many there are besides', async () => {
    await runtime.db.execute(sql`
      insert into calls (id, workspace_id, agent_id, direction, carrier, agent_phone_number, human_phone_number, variables,
        status, status_rank, usage_month, date_initiated, tags, disposition, created_at, updated_at)
      select 'cnv_tags_' || n, ${line.actor.workspaceId}, ${line.agentId}, 'OUTBOUND', 'simulated', '', '', '{}', 'ended', 5,
        '2026-08', '2026-08-01T12:00:00Z', array(select 'tag ' || (n * 100 + k) from generate_series(0, 99) k)
          || case when n % 2 = 0 then array['often'] else '{}' end, 'COMPLETED', now(), now()
      from generate_series(0, 99) n`);
    const found = await get({ from: '2026-08-01', to: '2026-08-02' });
    expect(found.tags).toHaveLength(12);
    expect(found.tags[0]).toMatchObject({ tag: 'often', calls: 50 });
    expect(found.otherTags).toBe(10_001 - 12);
  });
});

it('days that have changed are added up ahead of whoever looks', async () => {
  await add('2026-09-01T12:00:00Z', {}, other);
  await keepUp(runtime);
  expect(await runtime.db.$count(figureChanges)).toBe(0);
  const [day] = await queryRows<{ calls: number }>(
    runtime.db,
    sql`select calls from day_figures where workspace_id = ${other.actor.workspaceId} and starts_at = '2026-08-31T18:30:00Z'`,
  );
  expect(day?.calls).toBe(1);
});

it('a viewer reads the overview of their workspace, and a wrong range is refused', async () => {
  const as = await addSignedInMember(runtime, line.actor.workspaceId, 'viewer');
  const answer = await callRoute<Overview>(GET, { as, query: { days: '7' } });
  expect([answer.status, answer.data?.hasConversations]).toEqual([200, true]);
  for (const query of [
    { from: '2026-05-02', to: '2026-05-01' },
    { days: '0' },
    { days: '9999' },
    { from: '2026-02-30' },
    { to: '9999-12-31' },
  ])
    expect((await callRoute(GET, { as, query })).status).toBe(400);
});

it('a workspace with nothing but tests has no conversations yet', async () => {
  const empty = await seedLine(runtime.db, 'empty');
  await add('2026-05-10T12:00:00Z', { isTest: true }, empty);
  expect(await get({}, empty)).toMatchObject({ hasConversations: false, agents: [], tags: [], otherTags: 0 });
});
