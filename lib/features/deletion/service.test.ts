import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryRows } from '#db/client.ts';
import { callEvents, callOrders, calls, toolUses, transferAttempts, turns } from '#db/schema/calls.ts';
import { callWatches } from '#db/schema/call-watches.ts';
import { callAttempts } from '#db/schema/calls.ts';
import { chats } from '#db/schema/chats.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import { DELETE } from '#app/api/dashboard/calls/[callId]/route.ts';
import { POST as deleteSeveral } from '#app/api/dashboard/calls/delete/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { listDue } from '#lib/features/calls/deleted/repository.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { recordingKeyOf, waveformKeyOf } from '#lib/features/recordings/rules.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

/** In everything that a conversation leaves behind. */
const SECRET = 'zebrafish';
const NUMBER = '+15550177700';
const AT = new Date('2026-03-02T09:00:00.000Z');

let runtime: TestRuntime;
let line: SeededLine;
let nowMs = Date.UTC(2026, 2, 10);
let count = 0;
const people: Record<string, SignedInMember> = {};
const person = (name: string) => people[name] as SignedInMember;

beforeAll(async () => {
  const clock = { now: () => new Date(nowMs), sleep: async () => undefined };
  runtime = await startTestRuntime({ overrides: { clock } });
  line = await seedLine(runtime.db, 'deletion');
  for (const role of ['member', 'admin'] as const)
    people[role] = await addSignedInMember(runtime, 'ws_deletion', role);
  const other = await seedLine(runtime.db, 'deletion_elsewhere');
  people.stranger = await addSignedInMember(runtime, other.actor.workspaceId, 'owner');
});
afterAll(() => runtime.close());

/** A conversation with something in every table that has to do with one. */
async function addFullCall(): Promise<string> {
  count += 1;
  const id = `cnv_deletion_${count}`;
  const { db } = runtime;
  const own = { callId: id, workspaceId: 'ws_deletion' };
  await addEndedCall(db, {
    id,
    workspaceId: 'ws_deletion',
    agentId: line.agentId,
    humanPhoneNumber: NUMBER,
    variables: { name: SECRET },
    summary: SECRET,
    transcript: `Human: ${SECRET}`,
    tags: [SECRET],
  });
  await db
    .insert(turns)
    .values({ ...own, id: `turn_${id}`, seq: 1, speaker: 'human', text: SECRET, startedMs: 0, endedMs: 1 });
  await db.insert(toolUses).values({
    ...own,
    id: `tool_${id}`,
    seq: 1,
    name: 'x',
    arguments: { SECRET },
    result: { SECRET },
    startedMs: 0,
    endedMs: 1,
  });
  await db.insert(callEvents).values({ ...own, type: 'order', data: { text: SECRET }, at: AT });
  await db.insert(callOrders).values({ ...own, order: { kind: 'end' } as never, createdAt: AT });
  await db.insert(callWatches).values({ ...own, process: SECRET, hasSound: false, until: AT });
  await db
    .insert(callAttempts)
    .values({ ...own, id: `att_${id}`, carrier: 'simulated', reference: `ref_${id}`, committedAt: AT });
  await db.insert(transferAttempts).values({
    ...own,
    id: `tra_${id}`,
    carrier: 'simulated',
    reference: `tref_${id}`,
    number: NUMBER,
    committedAt: AT,
  });
  await db.insert(chats).values({
    id,
    workspaceId: 'ws_deletion',
    agentId: line.agentId,
    source: 'api',
    isOpen: false,
    lastActivityAt: AT,
    createdAt: AT,
  });
  await db.insert(webCalls).values({
    id,
    workspaceId: 'ws_deletion',
    agentId: line.agentId,
    variables: { name: SECRET },
    isTest: false,
    ticketHash: id,
    expiresAt: AT,
    createdAt: AT,
  });
  await db.insert(webhookDeliveries).values({
    ...own,
    id: `whd_${id}`,
    kind: 'call',
    status: 'delivered',
    url: 'https://x.test',
    body: Buffer.from(SECRET),
    responseBody: Buffer.from(SECRET),
    responseHeaders: { x: SECRET },
    createdAt: AT,
  });
  await runtime.notes.add(line.actor, id, SECRET);
  await runtime.reviews.addTag(line.actor, id, `${SECRET}_2`);
  await runtime.reviews.update(line.actor, id, { isReviewed: true });
  await runtime.reviews.rate(line.actor, id, { stars: 1, sentence: SECRET });
  await runtime.shares.create(line.actor, id, 24);
  await runtime.audit.note(line.actor, {
    action: 'call.placed',
    targetId: id,
    data: { direction: 'OUTBOUND', humanPhoneNumber: NUMBER },
  });
  for (const key of filesOf(id)) await runtime.storage.put(key, Buffer.from(SECRET));
  return id;
}

const filesOf = (id: string) => {
  const key = recordingKeyOf('ws_deletion', id);
  return [key, waveformKeyOf(key)];
};
const filesLeft = async (id: string) =>
  (await Promise.all(filesOf(id).map((key) => runtime.storage.stat(key)))).filter(Boolean).length;
const remove = (who: string, callId: string) => callRoute(DELETE, { as: person(who), params: { callId } });

/** The tables with a row that has the text in it, bytes included. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    runtime.db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows(
      runtime.db,
      sql`select 1 from ${sql.identifier(name)} row where row::text ilike ${`%${text}%`} or row::text like ${`%${Buffer.from(text).toString('hex')}%`} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('deletes every word of a conversation, and keeps the fences, the usage and who deleted it', async () => {
  await runtime.db
    .insert(usageMonths)
    .values({ workspaceId: 'ws_deletion', month: '2026-03', usedSeconds: 61 });
  const id = await addFullCall();
  expect((await tablesWith(SECRET)).length).toBeGreaterThan(9);
  expect((await tablesWith(NUMBER)).length).toBeGreaterThan(2);
  expect((await remove('admin', id)).status).toBe(200);
  expect(await tablesWith(SECRET)).toEqual([]);
  expect(await tablesWith(NUMBER)).toEqual([]);
  expect(await tablesWith(id)).toEqual([
    'audit_events',
    'call_attempts',
    'deleted_calls',
    'transfer_attempts',
    'webhook_deliveries',
  ]);
  expect(await filesLeft(id)).toBe(0);
  const usage = await runtime.db.select().from(usageMonths);
  expect(usage.find(({ workspaceId }) => workspaceId === 'ws_deletion')?.usedSeconds).toBe(61);
  const log = await runtime.audit.list(line.actor, { limit: 1, targetId: id });
  expect(log.events[0]).toMatchObject({
    action: 'conversation.deleted',
    actorLabel: person('admin').email,
    data: {},
  });
  expect((await runtime.conversations.get(line.actor, id)).parse()).toBeNull();
});

it('leaves no table that names calls out', async () => {
  const rows = await queryRows<{ name: string }>(
    runtime.db,
    sql`select conrelid::regclass::text as name from pg_constraint where contype = 'f' and confrelid = 'calls'::regclass and confdeltype = 'a' order by 1`,
  );
  // A new one is deleted by hand (calls/ended/repository.ts), or has `on delete cascade`; then it is filled above.
  expect(rows.map(({ name }) => name)).toEqual([
    'call_events',
    'call_notes',
    'call_orders',
    'call_watches',
    'chats',
    'tool_uses',
    'turns',
    'webhook_deliveries',
  ]);
});

it('is for admins, of what has ended in their workspace', async () => {
  const id = await addFullCall();
  expect((await remove('member', id)).status).toBe(403);
  expect((await remove('stranger', id)).status).toBe(403);
  expect((await remove('admin', 'cnv_nobody')).status).toBe(404);
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to: parsePhoneNumber('+15550199902'),
    variables: { name: 'Alex' },
  });
  const refused = await remove('admin', conversationId);
  expect(refused).toMatchObject({
    status: 400,
    error: { message: 'The conversation goes on; it can be deleted once it has ended' },
  });
  await runtime.db
    .update(webhookDeliveries)
    .set({ status: 'sending' })
    .where(sql`call_id = ${id}`);
  expect((await remove('admin', id)).error.message).toContain('webhook');
  expect(await filesLeft(id)).toBe(2);
});

it('deletes several at once, and tells which stay and why', async () => {
  const [one, other] = [await addFullCall(), await addFullCall()];
  const { data } = await callRoute<{ deletedCount: number; refused: { id: string; reason: string }[] }>(
    deleteSeveral,
    {
      as: person('admin'),
      body: { ids: [one, other, one, 'cnv_nobody'] },
    },
  );
  expect(data).toEqual({
    deletedCount: 2,
    refused: [{ id: 'cnv_nobody', reason: 'Conversation not found' }],
  });
  const left = await runtime.db
    .select({ id: calls.id })
    .from(calls)
    .where(sql`id in (${one}, ${other})`);
  expect(left).toEqual([]);
});

it('removes the files after a process was killed between the rows and them', async () => {
  const id = await addFullCall();
  // As far as a killed process comes.
  await runtime.db.transaction((tx) => runtime.deletion.deleteRows(tx, line.actor, [id]));
  expect(await filesLeft(id)).toBe(2);
  await runtime.deletion.sweepFiles();
  expect(await filesLeft(id)).toBe(0);
});

it('asks a storage that refuses again, and removes what was being written meanwhile', async () => {
  const id = await addFullCall();
  const works = runtime.storage.delete;
  runtime.storage.delete = async () => {
    throw new Error('the storage is away');
  };
  expect((await remove('admin', id)).status).toBe(200);
  runtime.storage.delete = works;
  expect(await filesLeft(id)).toBe(2);
  await runtime.deletion.sweepFiles();
  expect(await filesLeft(id)).toBe(0);
  // A waveform that was being drawn.
  await runtime.storage.put(filesOf(id)[1] ?? '', Buffer.from(SECRET));
  nowMs += 20 * 60_000;
  await runtime.deletion.sweepFiles();
  expect(await filesLeft(id)).toBe(0);
  expect(await listDue(runtime.db, new Date(nowMs + 86_400_000), 10)).toEqual([]);
});
