import { inArray, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { campaignPeople, campaigns } from '#db/schema/campaigns.ts';
import { simulationResults } from '#db/schema/simulations.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import { DELETE } from '#app/api/dashboard/calls/[callId]/route.ts';
import { POST as deleteSeveral } from '#app/api/dashboard/calls/delete/route.ts';
import { PUT } from '#app/api/dashboard/agents/[agentId]/scenarios/[scenarioId]/route.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { listDue } from '#lib/features/calls/deleted/repository.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import type { Scenario } from '#lib/features/simulations/scenarios/contract.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { addFullConversation, countFiles, filesOf, listTablesWith, NUMBER, SECRET } from './testing.ts';

/** Tables that keep no more of a deleted conversation than its bare id. */
const KEPT = ['audit_events', 'call_attempts', 'deleted_calls', 'transfer_attempts', 'webhook_deliveries'];

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

const addFullCall = () => {
  count += 1;
  return addFullConversation(runtime, line, `cnv_deletion_${count}`);
};
const filesLeft = (id: string) => countFiles(runtime, 'ws_deletion', id);
const remove = (who: string, callId: string) => callRoute(DELETE, { as: person(who), params: { callId } });
const tablesWith = (text: string) => listTablesWith(runtime.db, text);

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
  expect(await tablesWith(id)).toEqual(KEPT);
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

it('takes name and number of the person out of the campaign, once no conversation of theirs is left', async () => {
  const [first, retry] = [await addFullCall(), await addFullCall()];
  const { workspaceId } = line.actor;
  const times = { createdAt: new Date(nowMs), updatedAt: new Date(nowMs) };
  await runtime.db.insert(campaigns).values({
    id: 'cmp_deletion',
    workspaceId,
    name: 'Check-ups',
    fromNumber: '+15550100001',
    agentId: line.agentId,
    outboundPromptId: line.promptId,
    state: 'finished',
    callsPerMinute: 1,
    createdBy: 'test',
    ...times,
  });
  await runtime.db
    .update(calls)
    .set({ campaignId: 'cmp_deletion' })
    .where(inArray(calls.id, [first, retry]));
  const row = { campaignId: 'cmp_deletion', workspaceId, dueAt: new Date(nowMs) };
  await runtime.db.insert(campaignPeople).values([
    {
      ...row,
      line: 1,
      givenNumber: NUMBER,
      number: NUMBER,
      variables: { name: SECRET },
      state: 'placed',
      callId: first,
    },
    {
      ...row,
      line: 2,
      givenNumber: '+15550188800',
      number: '+15550188800',
      variables: { name: 'Bo' },
      state: 'pending',
    },
  ]);
  const rows = () =>
    runtime.db
      .select({
        number: campaignPeople.number,
        given: campaignPeople.givenNumber,
        variables: campaignPeople.variables,
      })
      .from(campaignPeople)
      .orderBy(campaignPeople.line);
  const other = { number: '+15550188800', given: '+15550188800', variables: { name: 'Bo' } };
  expect((await remove('admin', first)).status).toBe(200);
  expect(await rows()).toEqual([{ number: NUMBER, given: NUMBER, variables: { name: SECRET } }, other]);
  expect((await remove('admin', retry)).status).toBe(200);
  expect(await rows()).toEqual([{ number: null, given: '', variables: {} }, other]);
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
  await runtime.storage.put(filesOf('ws_deletion', id)[1], Buffer.from(SECRET));
  nowMs += 20 * 60_000;
  await runtime.deletion.sweepFiles();
  expect(await filesLeft(id)).toBe(0);
  expect(await listDue(runtime.db, new Date(nowMs + 86_400_000), 10)).toEqual([]);
});

it('names the scenarios that go with a conversation, and keeps one that has nothing of the person any more', async () => {
  const [kept, gone] = [await addFullCall(), await addFullCall()];
  const madeOf = async (id: string) => (await runtime.reviews.get(line.actor, id)).scenarios;
  const [scenario] = await madeOf(kept);
  expect(scenario).toMatchObject({ name: SECRET, agentId: line.agentId });
  const ids = { agentId: line.agentId, scenarioId: scenario?.id ?? '' };
  const all = await runtime.simulations.scenarios.list(line.actor, line.agentId);
  const { content } = all.find(({ id }) => id === ids.scenarioId) ?? {};
  if (!content) throw new Error('it is not in the list');
  const caller = { ...content.caller, script: [{ say: 'Hello', when: null }], description: '' };
  const body = { name: 'Says hello', content: { ...content, variables: {}, tools: [], caller } };
  const changed = await callRoute<Scenario>(PUT, {
    as: person('member'),
    params: ids,
    body: { ...body, sourceCallId: null },
  });
  expect(changed.data.sourceCallId).toBeNull();
  expect(await madeOf(kept)).toEqual([]);
  const runs = await runtime.db
    .select({ id: simulationResults.simulationId })
    .from(simulationResults)
    .where(inArray(simulationResults.sourceCallId, [kept, gone]));
  expect(runs).toHaveLength(2);
  for (const id of [kept, gone]) expect((await remove('admin', id)).status).toBe(200);
  const left = (await runtime.simulations.scenarios.list(line.actor, line.agentId)).map(({ id }) => id);
  expect(left).toContain(ids.scenarioId);
  // What was run with its words before they were taken out is gone as well.
  for (const id of [kept, gone]) expect(await tablesWith(id)).toEqual(KEPT);
  for (const { id } of runs) expect(await tablesWith(id)).toEqual([]);
});
