import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DELETE } from '#app/api/opt-outs/[number]/route.ts';
import { GET, POST } from '#app/api/opt-outs/route.ts';
import { POST as IMPORT } from '#app/api/dashboard/opt-outs/import/route.ts';
import { hasPostgres } from '#db/testing.ts';
import { callAttempts, calls } from '#db/schema/calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { addSignedInMember, callRoute, type SignedInMember } from '#lib/auth/testing.ts';
import { callWorker, startCallsRuntime } from '#lib/features/calls/execution/testing.ts';
import {
  type RunConversation,
  type SeededLine,
  seedLine,
  shortConversation,
} from '#lib/features/calls/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import type { OptOut, OptOutPage } from './contract.ts';
import { optOutUnannounced } from './testing.ts';

const ANN = parsePhoneNumber('+15550109900');
const BEN = parsePhoneNumber('+15550109901');

let runtime: TestRuntime;
let alpha: SeededLine;
let beta: SeededLine;
let admin: SignedInMember;
let viewer: SignedInMember;

beforeAll(async () => {
  runtime = await startCallsRuntime();
  alpha = await seedLine(runtime.db, 'alpha');
  beta = await seedLine(runtime.db, 'beta');
  admin = await addSignedInMember(runtime, 'ws_alpha', 'admin');
  viewer = await addSignedInMember(runtime, 'ws_alpha', 'viewer');
});
afterAll(() => runtime.close());

const row = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id)))[0];
const place = (line: SeededLine, to = ANN) =>
  runtime.calls.queueOutbound(line.actor, { from: line.number, to });

/** A process that dials, on the shared database. */
const worker = (runConversation: RunConversation) => callWorker(runtime, runConversation);

async function ended(id: string) {
  for (let tries = 0; tries < 400; tries += 1) {
    const call = await row(id);
    if (call?.status === 'ended') return call;
    await runtime.clock.sleep(25);
  }
  throw new Error('the call did not end');
}

/** The person asks, in a conversation, not to be called again. */
const asksToOptOut: RunConversation = async (conversation) => {
  const talk = shortConversation({}, async () => {
    const result = { ok: true, number: ANN };
    const use = { name: 'add_to_do_not_call_list', arguments: {}, result };
    conversation.sinks.toolUse({ seq: 1, ...use, startedMs: 3_000, endedMs: 3_000 });
  });
  return talk(conversation);
};

describe('the list', { tags: ['postgres'] }, () => {
  it('keeps a number in E.164 however it was written, with who added it, and tells it once', async () => {
    const made = await callRoute<OptOut>(POST, {
      as: admin,
      body: { number: '5550109950', note: 'by letter' },
    });
    expect(made.status).toBe(201);
    expect(made.data).toMatchObject({ number: '+15550109950', source: 'person', note: 'by letter' });
    const again = await callRoute<OptOut>(POST, {
      as: admin,
      body: { number: '+15550109950', note: 'other' },
    });
    expect(again.data).toEqual(made.data);
    const { data } = await callRoute<OptOutPage>(GET, { as: viewer });
    expect(data.optOuts.map((each) => each.number)).toEqual(['+15550109950']);
    const { events } = await runtime.audit.list(alpha.actor, { limit: 10, targetId: '+15550109950' });
    expect(events.map((event) => event.action)).toEqual(['opt_out.added']);
  });

  it('takes numbers however they are written, with the country of the workspace', async () => {
    const line = await seedLine(runtime.db, 'written', { workspace: { country: 'AT' } });
    const member = await addSignedInMember(runtime, line.actor.workspaceId, 'admin');
    for (const number of ['0664 1234501', '+43 (0)664/1234501', '0043 664 123 45 01', '+436641234501'])
      expect(await callRoute<OptOut>(POST, { as: member, body: { number } })).toMatchObject({
        status: 201,
        data: { number: '+436641234501' },
      });
    const refused = await callRoute(POST, { as: member, body: { number: '0664' } });
    expect(refused).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_ERROR', message: expect.stringMatching(/^number: It is no phone number/) },
    });
    const text = '0664 1234502\n(01) 512 34 56; +1 555 010 9900, 1000001';
    const { data } = await callRoute(IMPORT, { as: member, body: { text } });
    expect(data).toMatchObject({ addedCount: 4, unreadable: [] });
    await expect(place(line, parsePhoneNumber('+436641234502'))).rejects.toMatchObject({ code: 'OPTED_OUT' });
    await expect(
      runtime.calls.queueOutbound(line.actor, { from: line.number, to: '06641234501' }),
    ).rejects.toMatchObject({ code: 'OPTED_OUT' });
    expect((await callRoute(DELETE, { as: member, params: { number: '0664 1234501' } })).status).toBe(200);
    expect(
      (await runtime.optOuts.list(line.actor, { limit: 10, search: '0664 1234502' })).optOuts,
    ).toHaveLength(1);
  });

  it('is read page by page, latest first, and found by digits and by note', async () => {
    const line = await seedLine(runtime.db, 'pages');
    const text = Array.from({ length: 250 }, (_, index) => `+1555021${String(index).padStart(4, '0')}`);
    await runtime.optOuts.import(line.actor, { text: text.join('\n'), note: 'Old list' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await runtime.optOuts.list(line.actor, { limit: 100, cursor });
      seen.push(...page.optOuts.map((each) => each.number));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen.toSorted()).toEqual(text);
    const find = (search: string) => runtime.optOuts.list(line.actor, { limit: 100, search });
    expect((await find('021 0007')).optOuts.map((each) => each.number)).toEqual(['+15550210007']);
    expect((await find('old LIST')).optOuts).toHaveLength(100);
    expect((await find('100%')).optOuts).toEqual([]);
  });

  it('takes a pasted list in any grouping, says what is no number, and is exported whole', async () => {
    const line = await seedLine(runtime.db, 'pasted');
    const member = await addSignedInMember(runtime, 'ws_pasted', 'admin');
    const text = '+1 (555) 010-9911\n"5550109912"; hello,+44 20 7183 8750\n\n+15550109911';
    const { data } = await callRoute<Record<string, unknown>>(IMPORT, { as: member, body: { text } });
    expect(data).toEqual({ addedCount: 3, knownCount: 0, unreadableCount: 1, unreadable: ['hello'] });
    const twice = await runtime.optOuts.import(line.actor, { text });
    expect(twice).toMatchObject({ addedCount: 0, knownCount: 3 });
    const csv = await runtime.optOuts.export(line.actor).text();
    // A spreadsheet would run a leading plus as a formula.
    expect(csv).toMatch(/^\+442071838750,person,/m);
    expect(csv.trim().split('\r\n')).toHaveLength(4);
    await expect(runtime.optOuts.import(line.actor, { text: 'nobody' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });

  it('belongs to one workspace, and only admins shorten it', async () => {
    await runtime.optOuts.add(alpha.actor, { number: BEN });
    expect((await runtime.optOuts.list(beta.actor, { limit: 10 })).optOuts).toEqual([]);
    await expect(runtime.optOuts.remove(beta.actor, BEN)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const params = { number: BEN };
    expect((await callRoute(DELETE, { as: viewer, params })).status).toBe(403);
    expect((await callRoute(POST, { as: viewer, body: { number: '+15550109999' } })).status).toBe(403);
    expect((await callRoute(DELETE, { as: admin, params })).status).toBe(200);
    expect((await callRoute(DELETE, { as: admin, params })).status).toBe(404);
  });
});

describe('a call to a number that opted out', () => {
  it('is a 400 that says so, in that workspace only, and again possible once the number is removed', async () => {
    await runtime.optOuts.add(alpha.actor, { number: ANN });
    await expect(place(alpha)).rejects.toMatchObject({
      code: 'OPTED_OUT',
      status: 400,
      message: '+15550109900 asked not to be called again and is on the opt-out list',
    });
    await runtime.calls.cancel(beta.actor, (await place(beta)).conversationId);
    await runtime.optOuts.remove(alpha.actor, ANN);
    await runtime.calls.cancel(alpha.actor, (await place(alpha)).conversationId);
  });

  it('ends undialled, with one webhook, when the number opts out while it waits', async () => {
    const line = await seedLine(runtime.db, 'waits');
    const { conversationId: id } = await place(line);
    const { conversationId: other } = await place(line, BEN);
    await runtime.optOuts.add(line.actor, { number: ANN });
    expect(await row(id)).toMatchObject({
      status: 'ended',
      disposition: 'FAILED',
      reservedSeconds: 0,
      endReason: 'The person asked not to be called again, so nobody was dialled.',
    });
    expect((await row(other))?.status).toBe('queued');
    expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, id))).toBe(0);
    expect(await runtime.db.$count(webhookDeliveries, eq(webhookDeliveries.callId, id))).toBe(1);
  });

  it('is refused by the fence itself, whatever was asked before', { tags: ['postgres'] }, async () => {
    const line = await seedLine(runtime.db, 'fence');
    const { conversationId: id } = await place(line);
    const { dispatcher, carrier } = worker(shortConversation());
    await optOutUnannounced(runtime.db, line.actor.workspaceId, ANN);
    await dispatcher.fill(line.actor.workspaceId);
    expect(await ended(id)).toMatchObject({
      disposition: 'FAILED',
      endReason: expect.stringMatching(/not to be called again/),
    });
    expect(carrier.dialled).toEqual([]);
    expect(await runtime.db.$count(callAttempts, eq(callAttempts.callId, id))).toBe(0);
  });
});

describe('somebody who asks on a call not to be called again', () => {
  it('is on the list when the call has ended, with the conversation, and is not called again', async () => {
    const line = await seedLine(runtime.db, 'asks');
    const { conversationId: id } = await place(line);
    const { dispatcher } = worker(asksToOptOut);
    await dispatcher.fill(line.actor.workspaceId);
    await ended(id);
    const { optOuts } = await runtime.optOuts.list(line.actor, { limit: 10 });
    expect(optOuts).toMatchObject([{ number: ANN, source: 'call', conversationId: id }]);
    const { events } = await runtime.audit.list(line.actor, { limit: 10, targetId: ANN });
    expect(events).toMatchObject([{ action: 'opt_out.added', actorKind: 'system' }]);
    await expect(place(line)).rejects.toMatchObject({ code: 'OPTED_OUT' });
  });

  it('may still call the workspace', async () => {
    const line = await seedLine(runtime.db, 'callsin');
    await runtime.optOuts.add(line.actor, { number: ANN });
    const { calls: service } = worker(shortConversation());
    const { callId } = await service.simulateInbound(line.actor, { to: line.number, from: ANN });
    expect((await ended(callId)).disposition).toBe('COMPLETED');
  });
});

describe.skipIf(!hasPostgres)('races on PostgreSQL', { tags: ['postgres'] }, () => {
  it('dials nobody whose opt-out was answered before the dial', async () => {
    const line = await seedLine(runtime.db, 'race', { workspace: { maxConcurrentCalls: 50 } });
    const numbers = Array.from({ length: 30 }, (_, index) => parsePhoneNumber(`+1555033${1000 + index}`));
    const placed = await Promise.all(
      numbers.map(async (to) => ({ to, id: (await place(line, to)).conversationId })),
    );
    const workers = Array.from({ length: 3 }, () => worker(shortConversation()));
    const optOutAnswered = new Map<string, number>();
    await Promise.all([
      ...workers.map(({ dispatcher }) => dispatcher.fill(line.actor.workspaceId)),
      ...placed.map(async ({ to, id }) => {
        await runtime.optOuts.add(line.actor, { number: to });
        optOutAnswered.set(id, Date.now());
      }),
    ]);
    const rows = await Promise.all(placed.map(({ id }) => ended(id)));
    const attempts = await runtime.db
      .select()
      .from(callAttempts)
      .where(eq(callAttempts.workspaceId, line.actor.workspaceId));
    for (const { callId, committedAt } of attempts)
      expect(committedAt.getTime()).toBeLessThanOrEqual(optOutAnswered.get(callId) ?? 0);
    const undialled = rows.filter(({ id }) => !attempts.some(({ callId }) => callId === id));
    for (const call of undialled) expect(call.endReason).toMatch(/not to be called again/);
  });
});
