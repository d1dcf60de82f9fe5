import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { GET as preview } from '#app/api/dashboard/retention/preview/route.ts';
import { PATCH as updateWorkspace } from '#app/api/dashboard/workspace/route.ts';
import { createReviewParts } from '#lib/features/reviews/review-parts.ts';
import { addSignedInMember, callRoute } from '#lib/auth/testing.ts';
import { createS3Storage } from '#lib/adapters/storage/s3.ts';
import { startTestBucket } from '#lib/adapters/storage/s3-testing.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { recordingKeyOf, waveformKeyOf } from '#lib/features/recordings/rules.ts';
import type { RetentionPreview } from '../contract.ts';
import { createRetentionSweep } from './service.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

const NOW = Date.now();
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startTestRuntime({
    overrides: { clock: { now: () => new Date(NOW), sleep: async () => undefined } },
  });
});
afterAll(() => runtime.close());

/** A conversation of each of the last 120 days, so that a sweep takes several batches; every second one has a recording. */
async function addDays(name: string): Promise<SeededLine> {
  const line = await seedLine(runtime.db, name);
  for (let age = 0; age < 120; age += 1) {
    const id = `cnv_${name}_${age}`;
    const recordingKey = age % 2 === 0 ? recordingKeyOf(line.actor.workspaceId, id) : null;
    const dateInitiated = new Date(NOW - age * DAY_MS - HOUR_MS);
    await addEndedCall(runtime.db, {
      id,
      workspaceId: line.actor.workspaceId,
      agentId: line.agentId,
      dateInitiated,
      recordingKey,
    });
    if (recordingKey !== null && age % 40 === 0)
      await runtime.storage.put(recordingKey, Buffer.from('sound'));
  }
  return line;
}

const left = async (workspaceId: string) =>
  (
    await runtime.db
      .select({ count: sql<number>`count(*)::int`, recorded: sql<number>`count(recording_key)::int` })
      .from(calls)
      .where(eq(calls.workspaceId, workspaceId))
  )[0];
const keep = (workspaceId: string, days: Partial<typeof workspaces.$inferInsert>) =>
  runtime.db.update(workspaces).set(days).where(eq(workspaces.id, workspaceId));

it('keeps everything where nobody asked for less', async () => {
  await addDays('keeping');
  await runtime.retentionSweep.sweep(HOUR_MS);
  expect(await left('ws_keeping')).toEqual({ count: 120, recorded: 60 });
});

it('says what would go, and deletes just that', async () => {
  const line = await addDays('aging');
  const admin = await addSignedInMember(runtime, 'ws_aging', 'admin');
  const asked = await callRoute<RetentionPreview>(preview, {
    as: admin,
    query: { conversationDays: '90', recordingDays: '30' },
  });
  expect(asked.data).toMatchObject({
    conversations: { count: 30, isExact: true },
    recordings: { count: 45, isExact: true },
  });
  const body = { conversationRetentionDays: 90, recordingRetentionDays: 30 };
  const headers = { 'x-confirmation': asked.data.confirmation };
  expect((await callRoute(updateWorkspace, { as: admin, body, headers })).status).toBe(200);
  await runtime.retentionSweep.sweep(HOUR_MS);
  expect(await left('ws_aging')).toEqual({ count: 90, recorded: 15 });
  expect(await runtime.storage.stat(recordingKeyOf('ws_aging', 'cnv_aging_40'))).toBeUndefined();
  expect(await runtime.storage.stat(recordingKeyOf('ws_aging', 'cnv_aging_0'))).toBeDefined();
  const log = await runtime.audit.list(line.actor, { limit: 1 });
  expect(log.events[0]).toMatchObject({
    action: 'retention.swept',
    data: { conversations: 30, recordings: 30 },
  });
  const detail = await runtime.conversations.getCall(line.actor, 'cnv_aging_40');
  expect(detail.recordingUrl).toBeNull();
  expect(detail.events.map(({ type }) => type)).toContain('recording.deleted');
});

it('deletes nothing that nobody was asked about: a person confirms the count that they saw', async () => {
  await addDays('asked');
  const admin = await addSignedInMember(runtime, 'ws_asked', 'admin');
  const other = await addSignedInMember(runtime, 'ws_asked', 'admin', 'other@ws-asked.test');
  const save = (conversationRetentionDays: number | null, confirmation?: string, as = admin) =>
    callRoute(updateWorkspace, {
      as,
      body: { conversationRetentionDays },
      headers: confirmation ? { 'x-confirmation': confirmation } : {},
    });
  const refused = await save(90);
  expect(refused).toMatchObject({
    status: 428,
    error: {
      code: 'CONFIRMATION_REQUIRED',
      details: { effect: { conversations: { count: 30, isExact: true }, recordings: null } },
    },
  });
  const { confirmation } = (refused.error as unknown as { details: { confirmation: string } }).details;
  expect((await save(3, confirmation)).status).toBe(428);
  expect((await save(90, confirmation, other)).status).toBe(428);
  expect((await save(90, `${confirmation}x`)).status).toBe(428);
  await addEndedCall(runtime.db, {
    id: 'cnv_asked_older',
    workspaceId: 'ws_asked',
    agentId: 'agent_asked',
    dateInitiated: new Date(NOW - 100 * DAY_MS),
  });
  expect((await save(90, confirmation)).status).toBe(428);
  expect(await left('ws_asked')).toMatchObject({ count: 121 });
  const asked = await callRoute<RetentionPreview>(preview, { as: admin, query: { conversationDays: '90' } });
  expect((await save(90, asked.data.confirmation)).status).toBe(200);
  expect((await save(120)).status).toBe(200);
  expect((await save(null)).status).toBe(200);
});

it('goes on where it stopped when its time was over', async () => {
  await addDays('slow');
  await keep('ws_slow', { conversationRetentionDays: 10 });
  await runtime.retentionSweep.sweep(0);
  expect(await left('ws_slow')).toMatchObject({ count: 70 });
  await runtime.retentionSweep.sweep(0);
  await runtime.retentionSweep.sweep(0);
  expect(await left('ws_slow')).toMatchObject({ count: 10 });
});

it('passes what cannot be deleted yet', async () => {
  const line = await seedLine(runtime.db, 'passing');
  for (const [id, isOld] of [
    ['cnv_passing_waiting', true],
    ['cnv_passing_old', true],
    ['cnv_passing_new', false],
  ] as const)
    await addEndedCall(runtime.db, {
      id,
      workspaceId: 'ws_passing',
      agentId: line.agentId,
      dateInitiated: new Date(NOW - (isOld ? 3 : 0) * DAY_MS),
    });
  await runtime.db
    .execute(sql`insert into webhook_deliveries (id, workspace_id, call_id, kind, status, url, created_at)
    values ('whd_passing', 'ws_passing', 'cnv_passing_waiting', 'call', 'pending', 'https://x.test', now())`);
  await keep('ws_passing', { conversationRetentionDays: 2 });
  await runtime.retentionSweep.sweep(HOUR_MS);
  expect(await left('ws_passing')).toMatchObject({ count: 2 });
});

it('takes days from one to ten years', async () => {
  await seedLine(runtime.db, 'bounds');
  const admin = await addSignedInMember(runtime, 'ws_bounds', 'admin');
  for (const conversationRetentionDays of [0, 3_651, 1.5])
    expect(
      (await callRoute(updateWorkspace, { as: admin, body: { conversationRetentionDays } })).status,
    ).toBe(400);
});

it('removes recordings from a bucket, also those that it refused to remove at first', async () => {
  const bucket = await startTestBucket('retention');
  Object.assign(process.env, bucket.credentials);
  const storage = createS3Storage({
    bucket: 'retention',
    prefix: 'kept',
    endpoint: bucket.endpoint,
    region: 'us-east-1',
  });
  const { deletion } = createReviewParts({ ...runtime, storage });
  const line = await seedLine(runtime.db, 'bucket');
  for (let age = 0; age < 30; age += 1) {
    const id = `cnv_bucket_${age}`;
    const recordingKey = recordingKeyOf('ws_bucket', id);
    await addEndedCall(runtime.db, {
      id,
      workspaceId: 'ws_bucket',
      agentId: line.agentId,
      dateInitiated: new Date(NOW - age * DAY_MS - HOUR_MS),
      recordingKey,
    });
    for (const key of [recordingKey, waveformKeyOf(recordingKey)]) await storage.put(key, Buffer.from('x'));
  }
  await keep('ws_bucket', { conversationRetentionDays: 20, recordingRetentionDays: 10 });
  const sweep = createRetentionSweep({ ...runtime, deletion });
  // More than its client tries again by itself.
  bucket.failNext(1_000);
  await sweep.sweep(HOUR_MS);
  expect(await left('ws_bucket')).toEqual({ count: 20, recorded: 10 });
  expect(bucket.keys()).toHaveLength(60);
  bucket.failNext(0);
  await deletion.sweepFiles();
  expect(bucket.keys()).toHaveLength(20);
  await bucket.close();
});
