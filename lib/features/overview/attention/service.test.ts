import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GET } from '#app/api/dashboard/attention/route.ts';
import { PATCH as updateReview } from '#app/api/dashboard/calls/[callId]/review/route.ts';
import { documents, knowledgeBases } from '#db/schema/knowledge.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { usageMonths, workspaces } from '#db/schema/workspaces.ts';
import { addSignedInMember, callRoute } from '#lib/auth/testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import type { Attention } from './contract.ts';

const NOTHING: Attention = {
  actionNeeded: null,
  assigned: null,
  toReview: null,
  webhooks: null,
  documents: null,
  limit: null,
  model: null,
  carriers: [],
};

let runtime: TestRuntime;
let line: SeededLine;
let other: SeededLine;
beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'mine');
  other = await seedLine(runtime.db, 'other');
});
afterAll(() => runtime.close());

const get = () => runtime.attention.get(line.actor);
const hoursAgo = (hours: number) => new Date(runtime.clock.now().getTime() - hours * 3_600_000);
let ids = 0;
function add(given: Partial<Parameters<typeof addEndedCall>[1]>, owner = line): Promise<void> {
  ids += 1;
  return addEndedCall(runtime.db, {
    id: `cnv_attention_${ids}`,
    workspaceId: owner.actor.workspaceId,
    agentId: owner.agentId,
    dateInitiated: hoursAgo(0.5),
    tags: [],
    ...given,
  });
}

it('a viewer is told that nothing needs anybody, and nothing of another workspace', async () => {
  await add({ tags: ['action_needed'] }, other);
  const as = await addSignedInMember(runtime, line.actor.workspaceId, 'viewer');
  expect((await callRoute<Attention>(GET, { as })).data).toEqual(NOTHING);
});

it('conversations of the last week that need action are counted, tests and older ones not', async () => {
  await add({ tags: ['action_needed'] });
  await add({ tags: ['action_needed'], dateInitiated: hoursAgo(6 * 24) });
  await add({ tags: ['action_needed'], dateInitiated: hoursAgo(8 * 24) });
  await add({ tags: ['action_needed'], isTest: true });
  expect((await get()).actionNeeded).toMatchObject({ count: 2, isExact: true });
});

it('what was reviewed needs action no more, and makes nothing of the others to review', async () => {
  const as = await addSignedInMember(runtime, line.actor.workspaceId, 'member');
  const review = (callId: string) =>
    callRoute(updateReview, { as, params: { callId }, body: { isReviewed: true } });
  await add({ id: 'cnv_attention_reviewed', tags: ['action_needed'] });
  const before = (await get()).actionNeeded?.count ?? 0;
  expect((await review('cnv_attention_reviewed')).status).toBe(200);
  expect((await get()).actionNeeded?.count).toBe(before - 1);
  expect((await get()).toReview).toBeNull();
});

it('webhooks that nobody took are told with the last reason', async () => {
  const { workspaceId } = line.actor;
  await add({ id: 'cnv_hooked' });
  for (const [id, status] of [
    ['whd_1', 'delivered'],
    ['whd_2', 'failed'],
  ] as const)
    await runtime.db.insert(webhookDeliveries).values({
      id,
      workspaceId,
      callId: id === 'whd_1' ? null : 'cnv_hooked',
      kind: id === 'whd_1' ? 'test' : 'call',
      status,
      url: 'https://hooks.example.com',
      error: status === 'failed' ? 'It answered 500.' : null,
      createdAt: hoursAgo(1),
      finishedAt: hoursAgo(1),
    });
  expect((await get()).webhooks).toMatchObject({ failed: 1, lastId: 'whd_2', error: 'It answered 500.' });
});

it('the limit is told from four fifths of it on', async () => {
  const { workspaceId } = line.actor;
  const month = usageMonthOf(runtime.clock.now());
  const limitTo = (minutes: number) =>
    runtime.db
      .update(workspaces)
      .set({ monthlyUsageLimitMinutes: minutes })
      .where(eq(workspaces.id, workspaceId));
  await runtime.db
    .insert(usageMonths)
    .values({ workspaceId, month, usedSeconds: 79 * 60, reservedSeconds: 0 });
  await limitTo(100);
  expect((await get()).limit).toBeNull();
  await limitTo(98);
  expect((await get()).limit).toEqual({ minutes: 79, limitMinutes: 98, refusesIncomingAtLimit: false });
});

it('a document that failed leads to its knowledge base, and several to the list', async () => {
  const { workspaceId } = line.actor;
  const times = { createdAt: hoursAgo(1), updatedAt: hoursAgo(1) };
  for (const [index, id] of ['kb_one', 'kb_two'].entries()) {
    await runtime.db.insert(knowledgeBases).values({
      id,
      workspaceId,
      name: id,
      description: '',
      embeddingModel: 'local',
      ...times,
    });
    await runtime.db.insert(documents).values({
      id: `doc_${id}`,
      workspaceId,
      knowledgeBaseId: id,
      filename: 'broken.pdf',
      originalName: 'broken.pdf',
      fileType: 'PDF',
      fileSize: 1,
      storageKey: id,
      status: 'FAILED',
      createdAt: hoursAgo(1),
    });
    expect((await get()).documents).toEqual(
      index === 0 ? { failed: 1, knowledgeBaseId: 'kb_one' } : { failed: 2, knowledgeBaseId: null },
    );
  }
});

it('a carrier is in trouble from three calls and one of five on that it could not place', async () => {
  const outcome = {
    connected: false,
    neverConnectedReason: 'failed',
    answeredBy: null,
    durationMs: 0,
    voicemail: null,
    transferredTo: null,
    appointment: null,
    callback: null,
    endedBy: null,
    endReason: '',
    usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
  };
  const fail = () => add({ outcome, disposition: 'FAILED' });
  await fail();
  await fail();
  expect((await get()).carriers).toEqual([]);
  await fail();
  expect((await get()).carriers).toMatchObject([{ kind: 'simulated', failed: 3 }]);
});

it('who reviews is told what is left of the last week, and each what is assigned to them', async () => {
  const reviewed = await seedLine(runtime.db, 'reviewed');
  const { workspaceId } = reviewed.actor;
  const [one, two] = [
    await addSignedInMember(runtime, workspaceId, 'member'),
    await addSignedInMember(runtime, workspaceId, 'member', 'second@reviewed.test'),
  ];
  const told = async (as = one) => {
    const { data } = await callRoute<Attention>(GET, { as });
    return { toReview: data.toReview?.count ?? null, assigned: data.assigned?.count ?? null };
  };
  const older = { dateInitiated: hoursAgo(8 * 24) };
  for (const given of [{ id: 'cnv_r1' }, { id: 'cnv_r2' }, { id: 'cnv_r3' }, { id: 'cnv_r4', ...older }])
    await add(given, reviewed);
  await add({ isTest: true }, reviewed);
  const review = (callId: string, change: object) => runtime.reviews.update(reviewed.actor, callId, change);
  await review('cnv_r4', { assigneeId: one.userId, isReviewed: true });
  // Nobody reviews what is of these days, so nothing of it is called open.
  expect(await told()).toEqual({ toReview: null, assigned: null });
  await review('cnv_r1', { assigneeId: one.userId });
  await review('cnv_r2', { assigneeId: one.userId, isReviewed: true });
  // One of three: nobody means to look at all of them.
  expect(await told()).toEqual({ toReview: null, assigned: 1 });
  await review('cnv_r3', { isReviewed: true });
  expect(await told()).toEqual({ toReview: 1, assigned: 1 });
  expect(await told(two)).toEqual({ toReview: 1, assigned: null });
});
