import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { POST as ORDER } from '#app/api/dashboard/calls/[callId]/orders/route.ts';
import { users } from '#db/schema/auth.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import type { CallOrder } from '#lib/engine/supervision.ts';
import { buildRuntime } from '#lib/runtime.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { insertReservedCall } from '../repository.ts';
import { seedLine, type SeededLine } from '../testing.ts';
import { takeOrders } from './repository.ts';
import { createOrderDelivery, createSupervisionService } from './service.ts';

let runtime: TestRuntime;
let line: SeededLine;
let member: SignedInMember;
let lastCall = 0;

beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'orders');
  member = await addSignedInMember(runtime, 'ws_orders', 'member');
});
afterAll(() => runtime.close());

async function addCall(
  status: 'queued' | 'ringing' | 'in_progress' | 'ended',
  carrier: 'simulated' | 'browser' = 'simulated',
) {
  const id = `cnv_${(lastCall += 1)}`;
  const now = runtime.clock.now();
  await insertReservedCall(runtime.db, line.actor.workspaceId, {
    id,
    agentId: line.agentId,
    direction: 'OUTBOUND',
    carrier,
    agentPhoneNumber: line.number,
    humanPhoneNumber: parsePhoneNumber('+15550199900'),
    variables: {},
    reservedSeconds: 60,
    usageMonth: '2026-03',
    dateInitiated: now,
    createdAt: now,
    updatedAt: now,
  });
  const rank = ['queued', 'dialing', 'ringing', 'in_progress', 'wrapping_up', 'ended'].indexOf(status);
  await runtime.database.db.execute(
    `update calls set status = '${status}', status_rank = ${rank} where id = '${id}'`,
  );
  return id;
}

const order = (callId: string, body: unknown) => callRoute(ORDER, { as: member, params: { callId }, body });

it('hands an order that another process was given to the one that runs the call, once', async () => {
  const callId = await addCall('in_progress');
  const given: CallOrder[] = [];
  const supervisor = { order: (each: CallOrder) => given.push(each), watch: () => () => undefined };
  const elsewhere = buildRuntime({ ...runtime });
  const conversationHost = {
    ...elsewhere.conversationHost,
    supervisor: (id: string) => (id === callId ? supervisor : undefined),
  };
  const deliver = createOrderDelivery({ ...runtime, conversationHost });
  expect((await order(callId, { kind: 'transfer', to: '15550177700' })).status).toBe(200);
  expect(given).toEqual([]);
  await deliver([callId, 'cnv_other']);
  await deliver([callId]);
  expect(given).toEqual([{ kind: 'transfer', to: '+15550177700' }]);
  await createSupervisionService({ ...runtime, conversationHost }).order(line.actor, callId, { kind: 'end' });
  expect(given.at(-1)).toEqual({ kind: 'end', by: undefined });
});

it('names who ended a call without their address, which stands in the audit log alone', async () => {
  const ended = async () => {
    const callId = await addCall('in_progress');
    expect((await order(callId, { kind: 'end' })).status).toBe(200);
    const [taken] = await takeOrders(runtime.db, [callId], runtime.clock.now());
    return { callId, order: taken?.order };
  };
  const { callId, order: named } = await ended();
  expect(named).toEqual({ kind: 'end', by: 'The member' });
  const { events } = await runtime.audit.list(line.actor, { limit: 1, targetId: callId });
  expect(events[0]).toMatchObject({ action: 'call.ended', actorLabel: member.email });
  // Whoever has no name there has their address in its place.
  await runtime.db.update(users).set({ name: member.email }).where(eq(users.id, member.userId));
  expect((await ended()).order).toEqual({ kind: 'end' });
});

it('refuses what cannot be done with a call, and says why', async () => {
  const refused = async (callId: string, body: unknown) => {
    const { status, error } = await order(callId, body);
    return [status, error?.message];
  };
  const transfer = { kind: 'transfer', to: '+15550177700' };
  const notInProgress = [400, 'The call is not in progress'];
  expect(await refused(await addCall('queued'), { kind: 'end' })).toEqual(notInProgress);
  expect(await refused(await addCall('ended'), { kind: 'end' })).toEqual(notInProgress);
  expect(await refused(await addCall('ringing'), transfer)).toEqual([
    400,
    'Only a call that was answered can be transferred',
  ]);
  expect(await refused(await addCall('in_progress', 'browser'), transfer)).toEqual([
    400,
    'A call in a browser cannot be transferred to a number',
  ]);
  expect((await order(await addCall('in_progress'), { kind: 'transfer', to: 'the boss' })).status).toBe(400);
  expect((await order('cnv_none', { kind: 'end' })).status).toBe(404);
  const viewer = await addSignedInMember(runtime, 'ws_orders', 'viewer');
  const asViewer = { as: viewer, params: { callId: await addCall('in_progress') }, body: { kind: 'end' } };
  expect((await callRoute(ORDER, asViewer)).status).toBe(403);
});

it('refuses a chat, and says what it is', async () => {
  const { actor } = line;
  const { conversationId } = await runtime.chats.create(actor, line.agentId, {});
  const ending = await order(conversationId, { kind: 'end' });
  expect([ending.status, ending.error?.message]).toEqual([400, expect.stringContaining('This is a chat')]);
  const transfer = await order(conversationId, { kind: 'transfer', to: '+15550177700' });
  expect([transfer.status, transfer.error?.message]).toEqual([
    400,
    'This is a chat, not a call: nobody can be put through',
  ]);
  const listening = await runtime.supervision.listen(actor, conversationId);
  expect(listening).toEqual({ ok: false, reason: 'This is a chat, not a call: there is nothing to hear.' });
  expect((await runtime.chats.get(actor, conversationId)).status).toBe('open');
});
