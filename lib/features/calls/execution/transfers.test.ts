import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls, transferAttempts } from '#db/schema/calls.ts';
import type { DialRequest, PlacedCall } from '#lib/ports/carrier.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import {
  countingCarrier,
  type RunConversation,
  scriptedHost,
  seedLine,
  shortConversation,
  untilTold,
} from '../testing.ts';
import { TRANSFER_ANSWERED } from '#lib/conversation-process/conversations.ts';
import { createCallWork } from './call-work.ts';

const COLLEAGUE = '+15550142000';
const COLLEAGUES_LINE = { callId: 'call-2', target: 'sip:colleague@192.0.2.30' };
const TRACE = { callId: 'call-1', target: 'sip:person@192.0.2.20' };

let runtime: TestRuntime;
beforeAll(async () => {
  runtime = await startTestRuntime();
});
afterAll(() => runtime.close());

/** A process that runs calls, some time ahead of the others. */
function worker(run: RunConversation, aheadMs = 0) {
  const lookedUp: { reference: string; placed: PlacedCall | undefined }[] = [];
  const counting = countingCarrier();
  const carrier = {
    ...counting,
    dial: async (request: DialRequest) => ({ ...(await counting.dial(request)), trace: () => TRACE }),
    lookup: async (reference: string, placed?: PlacedCall) => {
      lookedUp.push({ reference, placed });
      return 'ended' as const;
    },
  };
  const clock = { ...runtime.clock, now: () => new Date(Date.now() + aheadMs) };
  const host = scriptedHost(runtime, { carrier, run, clock });
  const conversationHost = {
    ...host,
    lookup: (_carrier: string, ...asked: Parameters<typeof carrier.lookup>) => carrier.lookup(...asked),
  };
  return {
    ...createCallWork({ ...runtime, clock, conversationHost, ...runtime.forCalls }),
    carrier,
    lookedUp,
  };
}

const attemptsOf = (callId: string) =>
  runtime.db.select().from(transferAttempts).where(eq(transferAttempts.callId, callId));
const statusOf = async (id: string) =>
  (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0]?.status;

async function queue(name: string) {
  const line = await seedLine(runtime.db, name);
  const to = parsePhoneNumber('+15550200001');
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, { from: line.number, to });
  return { line, id: conversationId };
}

it('whom a call is handed to is called after a fence, is given up after a crash, and is never called by a process that lost the call', async () => {
  const { line, id } = await queue('handover');
  const begun = Promise.withResolvers<string | undefined>();
  const late = Promise.withResolvers<void>();
  const lateReference = Promise.withResolvers<string | undefined>();
  const dead = worker(async ({ sinks, beginTransfer }) => {
    sinks.ringing(0);
    sinks.answered(1_000, 'human');
    begun.resolve(await beginTransfer(COLLEAGUE));
    await late.promise;
    lateReference.resolve(await beginTransfer('+15550142001').catch(() => undefined));
    throw new Error('the process is gone');
  });
  await dead.dispatcher.fill(line.actor.workspaceId);
  const reference = await begun.promise;
  expect(reference).toMatch(/^att_/);
  expect(await attemptsOf(id)).toMatchObject([{ reference, number: COLLEAGUE, carrier: 'simulated' }]);

  const heir = worker(shortConversation(), 16_000);
  await heir.dispatcher.sweep();
  await untilTold([heir], id, async () => (await statusOf(id)) === 'ended');
  expect(heir.lookedUp).toContainEqual({
    reference,
    placed: { from: line.number, to: COLLEAGUE, at: expect.any(Date) },
  });
  expect(heir.carrier.dialled).toEqual([]);

  late.resolve();
  expect(await lateReference.promise).toBeUndefined();
  expect(await attemptsOf(id)).toHaveLength(1);
});

it('whoever has answered is hung up on after a crash, once, by what the line told of itself', async () => {
  const { line, id } = await queue('leftover');
  const answered = Promise.withResolvers<void>();
  const dead = worker(async ({ sinks }) => {
    sinks.ringing(0);
    sinks.answered(1_000, 'human');
    await sinks.flush();
    answered.resolve();
    return new Promise(() => undefined);
  });
  await dead.dispatcher.fill(line.actor.workspaceId);
  await answered.promise;
  const heir = worker(shortConversation(), 16_000);
  await heir.dispatcher.sweep();
  await untilTold([heir], id, async () => (await statusOf(id)) === 'ended');
  expect(heir.lookedUp).toMatchObject([{ placed: { from: line.number, to: '+15550200001', trace: TRACE } }]);
  expect(heir.carrier.dialled).toEqual([]);
  const [call] = await runtime.db.select().from(calls).where(eq(calls.id, id));
  expect(call?.lineTrace).toBeNull();
});

it('whoever a call was handed to and has answered is hung up on after a crash too', async () => {
  const { line, id } = await queue('handedover');
  const answered = Promise.withResolvers<string | undefined>();
  const dead = worker(async ({ sinks, beginTransfer }) => {
    sinks.ringing(0);
    sinks.answered(1_000, 'human');
    const reference = await beginTransfer(COLLEAGUE);
    sinks.event(TRANSFER_ANSWERED, { reference, line: COLLEAGUES_LINE });
    await sinks.flush();
    answered.resolve(reference);
    return new Promise(() => undefined);
  });
  await dead.dispatcher.fill(line.actor.workspaceId);
  const reference = await answered.promise;
  const heir = worker(shortConversation(), 16_000);
  await heir.dispatcher.sweep();
  await untilTold([heir], id, async () => (await statusOf(id)) === 'ended');
  const traces = heir.lookedUp.map((asked) => [asked.placed?.to, asked.placed?.trace]);
  expect(traces).toHaveLength(2);
  expect(traces).toContainEqual([COLLEAGUE, COLLEAGUES_LINE]);
  expect(traces).toContainEqual(['+15550200001', TRACE]);
  expect(heir.lookedUp.map((asked) => asked.reference)).toContain(reference);
  expect(heir.carrier.dialled).toEqual([]);
});

it('nobody is called for a call that was not answered', async () => {
  const { line, id } = await queue('unanswered');
  const begun = Promise.withResolvers<string | undefined>();
  const here = worker(async (conversation) => {
    conversation.sinks.ringing(0);
    begun.resolve(await conversation.beginTransfer(COLLEAGUE));
    return shortConversation()(conversation);
  });
  await here.dispatcher.fill(line.actor.workspaceId);
  expect(await begun.promise).toBeUndefined();
  expect(await attemptsOf(id)).toEqual([]);
});
