/** @module-tag postgres */
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '#db/testing.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { callAttempts, calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { usageMonths } from '#db/schema/workspaces.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { type RunConversation, type SeededLine, seedLine, shortConversation } from '../testing.ts';
import { callWorker, clockAhead, startCallsRuntime, TAKEOVER_MS } from '../execution/testing.ts';
import { claimCalls } from './repository.ts';

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(() => runtime.close());

/** One worker process: its own owner and memory, on the shared database. `clock` may run ahead to see leases expire. */
function worker(
  runConversation: RunConversation,
  { aheadMs = 0, ids = runtime.ids, sleep = runtime.clock.sleep } = {},
) {
  const { clock: ahead, jump } = clockAhead(runtime, aheadMs);
  const clock = { ...ahead, sleep };
  return { ...callWorker(runtime, runConversation, { clock, ids }), jump };
}

async function queue(line: SeededLine, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const to = `+1555020${String(index).padStart(4, '0')}`;
    ids.push(
      (await runtime.calls.queueOutbound(line.actor, { from: line.number, to: parsePhoneNumber(to) }))
        .conversationId,
    );
  }
  return ids;
}

async function until(condition: () => Promise<boolean> | boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await condition()) return;
    await runtime.clock.sleep(25);
  }
  throw new Error(`it never came to ${what}`);
}

const row = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0];
const countOf = (line: SeededLine, status: 'queued' | 'in_progress' | 'ended') =>
  runtime.db.$count(calls, and(eq(calls.workspaceId, line.actor.workspaceId), eq(calls.status, status)));

function gate(): { until: () => Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { until: () => promise, open: resolve };
}

describe('starting queued calls', () => {
  it('keeps to the limit of the workspace, starts the oldest first and goes on as lines get free', async () => {
    const line = await seedLine(runtime.db, 'limit', { workspace: { maxConcurrentCalls: 3 } });
    const ids = await queue(line, 7);
    const held = gate();
    const { dispatcher, carrier } = worker(shortConversation({}, held.until));
    await dispatcher.fill(line.actor.workspaceId);
    await until(() => countOf(line, 'in_progress').then((count) => count === 3), 'three calls in progress');
    await dispatcher.fill(line.actor.workspaceId);
    expect(dispatcher.callCount()).toBe(3);
    expect(await Promise.all(ids.slice(0, 3).map(async (id) => (await row(id))?.status))).toEqual(
      Array(3).fill('in_progress'),
    );
    held.open();
    await until(() => countOf(line, 'ended').then((count) => count === 7), 'seven ended calls');
    expect(new Set(carrier.dialled).size).toBe(7);
    expect(carrier.dialled).toHaveLength(7);
  });

  it('keeps to the limit of a number while another number of the workspace goes on', async () => {
    const line = await seedLine(runtime.db, 'narrow', { number: { maxConcurrentCalls: 1 } });
    const wide = await seedLine(runtime.db, 'wide');
    await queue(line, 3);
    const held = gate();
    const { dispatcher } = worker(shortConversation({}, held.until));
    await dispatcher.fill(line.actor.workspaceId);
    expect(dispatcher.callCount()).toBe(1);
    await queue(wide, 2);
    await dispatcher.fill(wide.actor.workspaceId);
    expect(dispatcher.callCount()).toBe(3);
    held.open();
    await until(() => countOf(line, 'ended').then((count) => count === 3), 'three ended calls');
    await until(() => dispatcher.callCount() === 0, 'rest');
  });

  it('settles what a call used and writes its transcript, cost and one webhook', async () => {
    const line = await seedLine(runtime.db, 'settle');
    const [id = ''] = await queue(line, 1);
    const { dispatcher } = worker(shortConversation());
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(await row(id)).toMatchObject({
      transcript: 'Agent: Hello Ann, this is the dentist.\nHuman: Thank you so much, goodbye.',
      durationSeconds: 12,
      disposition: 'COMPLETED',
      sentiment: 'POSITIVE',
      cost: 2.1,
      costBreakdown: { carrierCents: 2, speechCents: 0.1, languageCents: 0 },
      reservedSeconds: 0,
      leaseOwner: null,
    });
    const [month] = await runtime.db
      .select()
      .from(usageMonths)
      .where(eq(usageMonths.workspaceId, line.actor.workspaceId));
    expect(month).toMatchObject({ usedSeconds: 12, reservedSeconds: 0 });
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });

  it.each([
    ['the prompt was removed', 'promptgone', 'The outbound prompt was removed before the call was placed.'],
    ['the agent was deleted', 'agentgone', 'The agent was removed before the call was placed.'],
    ['the agent was switched off', 'agentoff', 'The agent was switched off before the call was placed.'],
  ])('dials nobody when %s meanwhile', async (_what, name, endReason) => {
    const line = await seedLine(runtime.db, name);
    const [id = ''] = await queue(line, 1);
    if (name === 'promptgone')
      await runtime.db.delete(outboundPrompts).where(eq(outboundPrompts.id, line.promptId));
    else if (name === 'agentgone') await runtime.agents.remove(line.actor, line.agentId);
    else await runtime.db.update(agents).set({ isActive: false }).where(eq(agents.id, line.agentId));
    const { dispatcher, carrier } = worker(shortConversation());
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(await row(id)).toMatchObject({ disposition: 'FAILED', endReason });
    expect(carrier.dialled).toEqual([]);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });

  it('gives up on a call whose carrier is not set up', async () => {
    const line = await seedLine(runtime.db, 'nocarrier', { number: { carrier: 'sip' } });
    const [id = ''] = await queue(line, 1);
    const { dispatcher } = worker(shortConversation());
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(await row(id)).toMatchObject({
      disposition: 'FAILED',
      endReason: 'The carrier "sip" is not set up on this service.',
    });
  });
});

describe('between the carrier and the conversation', () => {
  it('notes that the line is open before anything that happens on it', async () => {
    const line = await seedLine(runtime.db, 'still');
    const [id = ''] = await queue(line, 1);
    const { dispatcher } = worker(shortConversation());
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    const detail = await runtime.conversations.getCall(line.actor, id);
    const events = detail.events.map((event) => event.type);
    expect(events.indexOf('carrier.accepted')).toBe(events.indexOf('call.ringing') - 1);
  });
});

describe('dialling', () => {
  it('does not wait for the answer of a carrier before it dials the next call', async () => {
    const line = await seedLine(runtime.db, 'sidebyside');
    const ids = await queue(line, 3);
    const { dispatcher, carrier } = worker(shortConversation());
    const answers = gate();
    const dial = carrier.dial;
    carrier.dial = async (request) => {
      const leg = await dial(request);
      await answers.until();
      return leg;
    };
    await dispatcher.fill(line.actor.workspaceId);
    await until(() => carrier.dialled.length === 3, 'three dials under way');
    answers.open();
    await until(() => countOf(line, 'ended').then((count) => count === ids.length), 'three ended calls');
  });

  it('sends each request before the next fence, so a crash leaves at most one fence for which nothing was sent', async () => {
    const line = await seedLine(runtime.db, 'fences');
    const ids = await queue(line, 4);
    const order: string[] = [];
    const noted = (prefix: string) => {
      if (prefix === 'att') order.push('fence');
      return runtime.ids.next(prefix);
    };
    const { dispatcher, carrier } = worker(shortConversation(), { ids: { ...runtime.ids, next: noted } });
    const dial = carrier.dial;
    carrier.dial = (request) => {
      order.push('request');
      return dial(request);
    };
    await dispatcher.fill(line.actor.workspaceId);
    await until(() => countOf(line, 'ended').then((count) => count === ids.length), 'four ended calls');
    expect(order).toEqual(ids.flatMap(() => ['fence', 'request']));
  });
});

describe('the monthly limit while a call runs', () => {
  it('grants minutes until the limit is reached, and not one more', async () => {
    const line = await seedLine(runtime.db, 'extend', { workspace: { monthlyUsageLimitMinutes: 3 } });
    const [id = ''] = await queue(line, 1);
    const granted: boolean[] = [];
    const { dispatcher } = worker(async (conversation) => {
      const result = await shortConversation({ durationMs: 175_000 })(conversation);
      for (const seconds of [60, 120, 180, 240]) granted.push(await conversation.sinks.extendUsage(seconds));
      return result;
    });
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(granted).toEqual([true, true, true, false]);
    const [month] = await runtime.db
      .select()
      .from(usageMonths)
      .where(eq(usageMonths.workspaceId, line.actor.workspaceId));
    expect(month).toMatchObject({ usedSeconds: 175, reservedSeconds: 0 });
  });

  it.each([
    ['goes on where incoming calls are taken beyond it', false],
    ['ends where they are refused', true],
  ])('%s', async (_, refusesIncomingAtLimit) => {
    const limits = { monthlyUsageLimitMinutes: 2, refusesIncomingAtLimit };
    const line = await seedLine(runtime.db, `incoming${refusesIncomingAtLimit}`, { workspace: limits });
    const granted: boolean[] = [];
    const { calls: inbound } = worker(async (conversation) => {
      const result = await shortConversation({ durationMs: 110_000 })(conversation);
      for (const seconds of [60, 120, 180]) granted.push(await conversation.sinks.extendUsage(seconds));
      return result;
    });
    const from = parsePhoneNumber('+15550109900');
    const { callId } = await inbound.simulateInbound(line.actor, { to: line.number, from });
    await until(async () => (await row(callId))?.status === 'ended', 'the end');
    expect(granted).toEqual([true, true, !refusesIncomingAtLimit]);
  });
});

describe('after a crash', () => {
  const never = () => new Promise<void>(() => {});

  it('places a call again that was claimed but not dialled', async () => {
    const line = await seedLine(runtime.db, 'claimed');
    const [id = ''] = await queue(line, 1);
    const now = runtime.clock.now();
    const dead = { owner: 'proc_dead', until: new Date(now.getTime() + 15_000) };
    const wanted = { atMost: 5, now, lease: dead, callsPerSecond: {} };
    const { claimed } = await claimCalls(runtime.db, line.actor.workspaceId, wanted);
    expect(claimed.map(({ call }) => call.id)).toEqual([id]);
    const early = worker(shortConversation());
    await early.dispatcher.sweep();
    expect((await row(id))?.leaseOwner).toBe('proc_dead');
    const later = worker(shortConversation(), { aheadMs: TAKEOVER_MS });
    await later.dispatcher.sweep();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(later.carrier.dialled).toHaveLength(1);
  });

  it('never dials again once the attempt was committed: the call ends as FAILED with one webhook', async () => {
    const line = await seedLine(runtime.db, 'orphan');
    const [id = ''] = await queue(line, 1);
    const dead = worker(async ({ sinks }) => {
      sinks.ringing(0);
      await never();
      throw new Error('unreachable');
    });
    await dead.dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ringing', 'ringing');
    const heir = worker(shortConversation(), { aheadMs: TAKEOVER_MS });
    await heir.dispatcher.sweep();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(await row(id)).toMatchObject({
      disposition: 'FAILED',
      durationSeconds: 0,
      cost: 0,
      reservedSeconds: 0,
      transcript: '',
    });
    expect((await row(id))?.endReason).toMatch(/not dialled again/);
    expect(heir.carrier.dialled).toEqual([]);
    expect(dead.carrier.dialled).toHaveLength(1);
    expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, id))).toBe(1);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });

  it('keeps what was said and agreed on a call that was cut off, and ignores the owner that comes back', async () => {
    const line = await seedLine(runtime.db, 'cut');
    const [id = ''] = await queue(line, 1);
    const frozen = gate();
    const back = worker(async (conversation) => {
      const { sinks } = conversation;
      const result = shortConversation({}, async () => {
        const booked = {
          ok: true,
          startsAt: '2026-03-24T15:30:00.000Z',
          timeZone: 'UTC',
          spoken: 'Tuesday, March 24 at 3:30 PM',
        };
        sinks.toolUse({
          seq: 1,
          name: 'book_appointment',
          arguments: {},
          result: booked,
          startedMs: 4_000,
          endedMs: 4_000,
        });
        await frozen.until();
        sinks.turn({
          seq: 3,
          speaker: 'agent',
          text: 'Too late.',
          intendedText: null,
          startedMs: 9_000,
          endedMs: 9_900,
          interrupted: false,
        });
      });
      return result(conversation);
    });
    await back.dispatcher.fill(line.actor.workspaceId);
    await until(
      async () => (await runtime.conversations.getCall(line.actor, id)).toolUses.length === 1,
      'the booking',
    );
    const heir = worker(shortConversation(), { aheadMs: TAKEOVER_MS });
    await heir.dispatcher.sweep();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    frozen.open();
    await until(() => back.dispatcher.callCount() === 0, 'the old owner letting go');
    expect(await row(id)).toMatchObject({
      disposition: 'APPOINTMENT_BOOKED',
      tags: ['appointment_booked'],
      durationSeconds: 4,
      cost: 2.03,
      transcript: 'Agent: Hello Ann, this is the dentist.\nHuman: Thank you so much, goodbye.',
      endReason: 'The call was cut off because the service stopped.',
    });
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });

  it('leaves a call alone while its owner renews the lease', async () => {
    const line = await seedLine(runtime.db, 'alive');
    const [id = ''] = await queue(line, 1);
    const held = gate();
    const owner = worker(shortConversation({}, held.until), { aheadMs: 10_000 });
    await owner.dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'in_progress', 'in progress');
    await owner.dispatcher.heartbeat();
    const other = worker(shortConversation(), { aheadMs: TAKEOVER_MS });
    await other.dispatcher.sweep();
    expect((await row(id))?.status).toBe('in_progress');
    held.open();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect((await row(id))?.disposition).toBe('COMPLETED');
  });

  it('renews the leases of what it took even where it does not work for the queue', async () => {
    const line = await seedLine(runtime.db, 'filled-only');
    const [id = ''] = await queue(line, 1);
    const held = gate();
    const owner = worker(shortConversation({}, held.until), {
      sleep: (ms, signal) => runtime.clock.sleep(ms / 100, signal),
    });
    await owner.dispatcher.fill(line.actor.workspaceId);
    const leaseMs = async () => (await row(id))?.leaseUntil?.getTime() ?? 0;
    const firstMs = await leaseMs();
    owner.jump(10_000);
    await until(async () => (await leaseMs()) >= firstMs + 10_000, 'a renewed lease');
    held.open();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect((await row(id))?.disposition).toBe('COMPLETED');
  });

  it('ends nobody’s call in the first look after it was halted itself, as all may have been', async () => {
    const line = await seedLine(runtime.db, 'halted');
    const [id = ''] = await queue(line, 1);
    const held = gate();
    const owner = worker(shortConversation({}, held.until));
    await owner.dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'in_progress', 'in progress');
    const other = worker(shortConversation());
    await other.dispatcher.sweep();
    owner.jump(20_000);
    other.jump(20_000);
    await other.dispatcher.sweep();
    expect((await row(id))?.status).toBe('in_progress');
    await owner.dispatcher.heartbeat();
    await other.dispatcher.sweep();
    expect((await row(id))?.status).toBe('in_progress');
    held.open();
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect((await row(id))?.disposition).toBe('COMPLETED');
  });

  it('ends a call whose conversation failed inside the service, with what was said until then', async () => {
    const line = await seedLine(runtime.db, 'broken');
    const [id = ''] = await queue(line, 1);
    const { dispatcher } = worker(
      shortConversation({}, async () => {
        throw new Error('the engine broke');
      }),
    );
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    expect(await row(id)).toMatchObject({
      durationSeconds: 4,
      endReason: 'The call was cut off by a fault of the service.',
    });
  });
});

describe('stopping', () => {
  it('starts nothing more, asks calls in progress to say goodbye, and ends them', async () => {
    const line = await seedLine(runtime.db, 'stopping', { workspace: { maxConcurrentCalls: 1 } });
    const [talking = '', waiting = ''] = await queue(line, 2);
    const { dispatcher, carrier } = worker(async (conversation) => {
      const goodbye = new Promise<void>((resolve) =>
        conversation.signal.addEventListener('abort', () => resolve()),
      );
      return shortConversation(
        { endedBy: 'shutdown', endReason: 'The service stopped.' },
        () => goodbye,
      )(conversation);
    });
    await dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(talking))?.status === 'in_progress', 'in progress');
    await dispatcher.stop(1_000);
    expect(await row(talking)).toMatchObject({
      status: 'ended',
      disposition: 'COMPLETED',
      endReason: 'The service stopped.',
    });
    expect(await row(waiting)).toMatchObject({ status: 'queued', leaseOwner: null });
    await dispatcher.fill(line.actor.workspaceId);
    expect(carrier.dialled).toHaveLength(1);
    await runtime.calls.cancel(line.actor, waiting);
  });
});

describe.skipIf(!hasPostgres)('races on PostgreSQL', () => {
  it('four racing workers dial every call exactly once and never pass the limits', async () => {
    const line = await seedLine(runtime.db, 'race', { workspace: { maxConcurrentCalls: 5 } });
    const ids = await queue(line, 40);
    let live = 0;
    let peak = 0;
    const runConversation: RunConversation = async (conversation) => {
      live += 1;
      peak = Math.max(peak, live);
      const result = await shortConversation({}, () => runtime.clock.sleep(Math.random() * 20))(conversation);
      live -= 1;
      return result;
    };
    const workers = Array.from({ length: 4 }, () => worker(runConversation));
    const workspaceId = line.actor.workspaceId;
    await Promise.all(
      workers.flatMap(({ dispatcher }) => [
        dispatcher.fill(workspaceId),
        dispatcher.sweep(),
        dispatcher.fill(workspaceId),
      ]),
    );
    await until(() => countOf(line, 'ended').then((count) => count === ids.length), 'forty ended calls');
    const dialled = workers.flatMap(({ carrier }) => carrier.dialled);
    // A sweep looks at every workspace, so calls of other tests may be among them.
    expect(new Set(dialled).size).toBe(dialled.length);
    const attempts = await runtime.db
      .select()
      .from(callAttempts)
      .where(eq(callAttempts.workspaceId, workspaceId));
    expect(attempts.every((attempt) => dialled.includes(attempt.reference))).toBe(true);
    expect(attempts).toHaveLength(40);
    expect(peak).toBeLessThanOrEqual(5);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.workspaceId, workspaceId))).toBe(
      40,
    );
    const [month] = await runtime.db
      .select()
      .from(usageMonths)
      .where(eq(usageMonths.workspaceId, workspaceId));
    expect(month).toMatchObject({ usedSeconds: 40 * 12, reservedSeconds: 0 });
  });

  it('fifty parallel requests get no more than the limit allows', async () => {
    const line = await seedLine(runtime.db, 'fifty', { workspace: { monthlyUsageLimitMinutes: 20 } });
    const place = () =>
      runtime.calls.queueOutbound(line.actor, { from: line.number, to: parsePhoneNumber('+15550109900') });
    const answers = await Promise.allSettled(Array.from({ length: 50 }, place));
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(20);
    const refused = answers.flatMap((answer) =>
      answer.status === 'rejected' ? [(answer.reason as { code?: string }).code] : [],
    );
    expect(new Set(refused)).toEqual(new Set(['USAGE_LIMIT_EXCEEDED']));
  });

  it('twenty parallel repeats of one idempotency key queue one call', async () => {
    const line = await seedLine(runtime.db, 'repeat');
    const place = () =>
      runtime.calls.queueOutbound(
        line.actor,
        { from: line.number, to: parsePhoneNumber('+15550109900') },
        'same',
      );
    const answers = await Promise.all(Array.from({ length: 20 }, place));
    expect(new Set(answers.map((answer) => answer.conversationId)).size).toBe(1);
    expect(await runtime.db.$count(calls, eq(calls.workspaceId, line.actor.workspaceId))).toBe(1);
  });

  it('several sweeps end one orphan once', async () => {
    const line = await seedLine(runtime.db, 'sweeps');
    const [id = ''] = await queue(line, 1);
    const dead = worker(async ({ sinks }) => {
      sinks.answered(0, 'human');
      return new Promise(() => {});
    });
    await dead.dispatcher.fill(line.actor.workspaceId);
    await until(async () => (await row(id))?.status === 'in_progress', 'in progress');
    const heirs = Array.from({ length: 4 }, () => worker(shortConversation(), { aheadMs: TAKEOVER_MS }));
    await Promise.all(heirs.map(({ dispatcher }) => dispatcher.sweep()));
    await until(async () => (await row(id))?.status === 'ended', 'the end');
    const events = (await runtime.conversations.getCall(line.actor, id)).events.map((event) => event.type);
    expect(events.filter((type) => type === 'call.ended')).toHaveLength(1);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });
});
