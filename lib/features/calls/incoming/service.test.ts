/** @module-tag postgres */
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hasPostgres } from '#db/testing.ts';
import { callAttempts, calls } from '#db/schema/calls.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { callWorker, clockAhead, startCallsRuntime, TAKEOVER_MS } from '../execution/testing.ts';
import { type RunConversation, type SeededLine, seedLine, shortConversation } from '../testing.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(() => runtime.close());

/** A process that holds lines, on the shared database. */
function holder(runConversation: RunConversation, aheadMs = 0) {
  const work = callWorker(runtime, runConversation, clockAhead(runtime, aheadMs));
  const call = (line: SeededLine) =>
    work.calls.simulateInbound(line.actor, { to: line.number, from: parsePhoneNumber('+15550109900') });
  return { ...work, call };
}

const row = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0];
const rowsOf = (line: SeededLine) => runtime.db.$count(calls, eq(calls.workspaceId, line.actor.workspaceId));
const never = () => new Promise<void>(() => {});

async function until(id: string, status: string): Promise<void> {
  for (let tries = 0; tries < 400 && (await row(id))?.status !== status; tries += 1)
    await runtime.clock.sleep(25);
  expect((await row(id))?.status).toBe(status);
}

it('is written ringing and leased, run where its line is, and never dialled', async () => {
  const line = await seedLine(runtime.db, 'comesin');
  const talking = Promise.withResolvers<void>();
  const here = holder(shortConversation({}, () => talking.promise));
  const { callId } = await here.call(line);
  expect(await row(callId)).toMatchObject({ direction: 'INBOUND', reservedSeconds: 60 });
  expect((await row(callId))?.leaseOwner).toMatch(/^proc_/);
  await until(callId, 'in_progress');
  talking.resolve();
  await until(callId, 'ended');
  const { events } = await runtime.conversations.getCall(line.actor, callId);
  expect(events.map((event) => event.type).filter((type) => type.startsWith('call.'))).toEqual([
    'call.ringing',
    'call.in_progress',
    'call.wrapping_up',
    'call.ended',
  ]);
  expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, callId))).toBe(0);
  expect(here.carrier).toMatchObject({ callers: [callId], dialled: [] });
});

it('is refused with nothing written where the agent is off, every line in use or the limit reached', async () => {
  const { call } = holder(shortConversation({}, never));
  const off = await seedLine(runtime.db, 'switchedoff', { agent: { isActive: false } });
  await expect(call(off)).rejects.toMatchObject({ code: 'AGENT_INACTIVE' });
  const spent = await seedLine(runtime.db, 'spent', {
    workspace: { monthlyUsageLimitMinutes: 0, refusesIncomingAtLimit: true },
  });
  await expect(call(spent)).rejects.toMatchObject({ code: 'USAGE_LIMIT_EXCEEDED' });
  expect([await rowsOf(off), await rowsOf(spent)]).toEqual([0, 0]);
  const remedy = 'in use: more are allowed by "Calls at once" in Settings';
  for (const [name, limits, message] of [
    [
      'fullspace',
      { workspace: { maxConcurrentCalls: 1 } },
      `The only line of the workspace is ${remedy}, Workspace`,
    ],
    [
      'fullnumber',
      { number: { maxConcurrentCalls: 1 } },
      `The only line of the number is ${remedy}, Numbers`,
    ],
  ] as const) {
    const full = await seedLine(runtime.db, name, limits);
    await call(full);
    await expect(call(full)).rejects.toMatchObject({ code: 'NOT_READY', message });
    expect(await rowsOf(full)).toBe(1);
  }
});

it('is taken and counted beyond the limit where the workspace does not refuse it', async () => {
  const { call } = holder(shortConversation({}, never));
  const line = await seedLine(runtime.db, 'takenbeyond', { workspace: { monthlyUsageLimitMinutes: 0 } });
  const { workspaceId } = line.actor;
  await call(line);
  await call(line);
  const [month] = await runtime.db.select().from(usageMonths).where(eq(usageMonths.workspaceId, workspaceId));
  expect(month).toMatchObject({ reservedSeconds: 120 });
  await expect(
    runtime.calls.queueOutbound(line.actor, { from: line.number, to: '+15550109900' }),
  ).rejects.toMatchObject({ code: 'USAGE_LIMIT_EXCEEDED' });
});

it('is never refused for the limit as a test, also where the month is beyond it', async () => {
  const { call, webCalls } = holder(shortConversation({}, never));
  const line = await seedLine(runtime.db, 'talkbeyond', {
    workspace: { monthlyUsageLimitMinutes: 1, refusesIncomingAtLimit: true },
  });
  const { workspaceId } = line.actor;
  const month = usageMonthOf(new Date());
  await runtime.db.insert(usageMonths).values({ workspaceId, month, usedSeconds: 600 });
  await expect(call(line)).rejects.toMatchObject({ code: 'USAGE_LIMIT_EXCEEDED' });
  const talk = async (isTest: boolean) => {
    const prepared = await webCalls.prepare(line.actor, line.agentId, { isTest });
    const ticket = new URL(prepared.webSocketUrl).searchParams.get('ticket') ?? '';
    return (await webCalls.admit(prepared.conversationId, { ticket, origin: undefined })).ok;
  };
  expect([await talk(false), await talk(true)]).toEqual([false, true]);
  expect(await rowsOf(line)).toBe(1);
});

it('ends as failed, without being dialled, when its process died before it was answered', async () => {
  const line = await seedLine(runtime.db, 'diedringing');
  const { callId } = await holder(async () => {
    await never();
    throw new Error('unreachable');
  }).call(line);
  const heir = holder(shortConversation(), TAKEOVER_MS);
  await heir.dispatcher.sweep();
  await until(callId, 'ended');
  expect(await row(callId)).toMatchObject({
    disposition: 'FAILED',
    endReason: 'The service stopped before it answered the call.',
  });
  expect(heir.carrier).toMatchObject({ callers: [], dialled: [] });
  const [month] = await runtime.db
    .select()
    .from(usageMonths)
    .where(eq(usageMonths.workspaceId, line.actor.workspaceId));
  expect(month).toMatchObject({ reservedSeconds: 0, usedSeconds: 0 });
});

it.skipIf(!hasPostgres)('does not pass the limit when many come in at once', async () => {
  const line = await seedLine(runtime.db, 'manyatonce', { workspace: { maxConcurrentCalls: 4 } });
  const { call } = holder(shortConversation({}, never));
  const answers = await Promise.allSettled(Array.from({ length: 16 }, () => call(line)));
  expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(4);
});

it('has its caller in E.164, also where the network writes them as its country does', async () => {
  const number = '+4315123456';
  await seedLine(runtime.db, 'nationalcaller', { number: { number, carrier: 'sip' } });
  const { takeFromCarrier } = holder(shortConversation());
  const callers = ['06641234501', '00491701234567', '+447911123456', '0', 'front-desk', null];
  const taken: (string | undefined)[] = [];
  for (const [index, from] of callers.entries()) {
    const answer = await takeFromCarrier('sip', { reference: `national-${index}`, to: number, from });
    taken.push(answer.ok ? (await row(answer.callId))?.humanPhoneNumber : answer.reason);
  }
  expect(taken).toEqual(['+436641234501', '+491701234567', '+447911123456', '0', 'front-desk', 'anonymous']);
});
