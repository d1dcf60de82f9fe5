import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callAttempts, callEvents, calls } from '#db/schema/calls.ts';
import { outboundPrompts } from '#db/schema/agents.ts';
import { usageMonths, workspaces } from '#db/schema/workspaces.ts';
import { isAppError } from '#lib/errors.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { outboundCallBody } from './contract.ts';
import { type SeededLine, seedLine } from './testing.ts';

let runtime: TestRuntime;
let alpha: SeededLine;
let beta: SeededLine;
const TO = parsePhoneNumber('+15550109900');

beforeAll(async () => {
  runtime = await startTestRuntime();
  alpha = await seedLine(runtime.db, 'alpha');
  beta = await seedLine(runtime.db, 'beta');
});
afterAll(() => runtime.close());

async function refusal(work: Promise<unknown>): Promise<{ code: string; status: number; message: string }> {
  try {
    await work;
  } catch (error) {
    if (isAppError(error)) return { code: error.code, status: error.status, message: error.message };
    throw error;
  }
  throw new Error('it was not refused');
}

describe('accepting an outbound call', () => {
  it(
    'stores the call, its first event and a held minute, and answers with the prompt it chose',
    { tags: ['postgres'] },
    async () => {
      const answer = await runtime.calls.queueOutbound(alpha.actor, {
        from: alpha.number,
        to: TO,
        variables: { name: 'Ann' },
      });
      expect(answer).toMatchObject({
        from: alpha.number,
        to: TO,
        outboundPromptId: alpha.promptId,
        variables: { name: 'Ann' },
      });
      const [row] = await runtime.db.select().from(calls).where(eq(calls.id, answer.conversationId));
      expect(row).toMatchObject({
        status: 'queued',
        reservedSeconds: 60,
        direction: 'OUTBOUND',
        carrier: 'simulated',
        humanPhoneNumber: TO,
      });
      const events = await runtime.db
        .select()
        .from(callEvents)
        .where(eq(callEvents.callId, answer.conversationId));
      expect(events.map((event) => event.type)).toEqual(['call.queued']);
      expect(
        await runtime.db.select().from(callAttempts).where(eq(callAttempts.callId, answer.conversationId)),
      ).toEqual([]);
    },
  );

  it("answers 404 for a number nobody has and for another workspace's, without telling them apart", async () => {
    const unknown = await refusal(runtime.calls.queueOutbound(alpha.actor, { from: '+15559999999', to: TO }));
    const foreign = await refusal(runtime.calls.queueOutbound(alpha.actor, { from: beta.number, to: TO }));
    expect(unknown).toEqual({ code: 'NOT_FOUND', status: 404, message: 'Phone number not found' });
    expect(foreign).toEqual(unknown);
  });

  it('wants the number spelled exactly as it is listed', async () => {
    const bare = alpha.number.replace('+1', '');
    expect((await refusal(runtime.calls.queueOutbound(alpha.actor, { from: bare, to: TO }))).status).toBe(
      404,
    );
  });

  it("answers 403 for another workspace's prompt and 404 for an unknown one", async () => {
    const foreign = { from: alpha.number, to: TO, outboundPromptId: beta.promptId };
    expect((await refusal(runtime.calls.queueOutbound(alpha.actor, foreign))).status).toBe(403);
    const unknown = { from: alpha.number, to: TO, outboundPromptId: 'prompt_none' };
    expect((await refusal(runtime.calls.queueOutbound(alpha.actor, unknown))).status).toBe(404);
  });

  it('refuses an agent without prompts, an agent that is switched off and a number without an agent', async () => {
    const empty = await seedLine(runtime.db, 'noprompt', { withoutPrompt: true });
    const off = await seedLine(runtime.db, 'off', { agent: { isActive: false } });
    const bare = await seedLine(runtime.db, 'bare', { number: { agentId: null } });
    const place = (line: SeededLine) =>
      refusal(runtime.calls.queueOutbound(line.actor, { from: line.number, to: TO }));
    expect(await place(empty)).toMatchObject({ code: 'NO_OUTBOUND_PROMPT', status: 400 });
    expect(await place(off)).toMatchObject({ code: 'AGENT_INACTIVE', status: 400 });
    expect(await place(bare)).toMatchObject({
      status: 404,
      message: 'No agent is assigned to this phone number',
    });
  });

  it('takes the oldest prompt of the agent by default', async () => {
    const line = await seedLine(runtime.db, 'prompts');
    const at = new Date('2026-03-01T09:00:00.000Z');
    const older = {
      id: 'prompt_older',
      workspaceId: line.actor.workspaceId,
      agentId: line.agentId,
      title: 'Older',
      instructions: 'x',
    };
    await runtime.db.insert(outboundPrompts).values({ ...older, createdAt: at, updatedAt: at });
    const answer = await runtime.calls.queueOutbound(line.actor, { from: line.number, to: TO });
    expect(answer.outboundPromptId).toBe('prompt_older');
  });
});

it('a campaign is refused a call whose opening cannot be said, where a single call opens with another line', async () => {
  const line = await seedLine(runtime.db, 'unsayable');
  const written = { opening: 'You have {{count}} visits.', writtenCardFields: ['opening'] };
  await runtime.db.update(outboundPrompts).set(written).where(eq(outboundPrompts.id, line.promptId));
  const body = { from: line.number, to: TO };
  const ofCampaign = { campaignId: 'cmp_none', agree: () => Promise.resolve(true) };
  expect(await refusal(runtime.calls.queueForCampaign(line.actor, body, ofCampaign))).toMatchObject({
    code: 'VALIDATION_ERROR',
    message: 'variables.count: is needed: the opening cannot be said without it',
  });
  expect(await runtime.calls.queueOutbound(line.actor, body)).toMatchObject({ missingForOpening: ['count'] });
  await expect(runtime.calls.placeTest(line.actor, body)).resolves.toBeDefined();
});

describe('an idempotency key', { tags: ['postgres'] }, () => {
  it('gives a repeat the first answer and queues nothing more, in parallel and with the number written otherwise', async () => {
    const line = await seedLine(runtime.db, 'idem');
    const body = { from: line.number, to: TO, variables: { a: '1', b: '2' } };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => runtime.calls.queueOutbound(line.actor, body, 'key-1')),
    );
    const later = await runtime.calls.queueOutbound(
      line.actor,
      outboundCallBody.parse({ variables: { b: '2', a: '1' }, to: '5550109900', from: line.number }),
      'key-1',
    );
    expect(later.to).toBe('+15550109900');
    expect(new Set([...answers, later].map((answer) => answer.conversationId)).size).toBe(1);
    expect(later).toEqual(answers[0]);
    expect(await runtime.db.$count(calls, eq(calls.workspaceId, line.actor.workspaceId))).toBe(1);
  });

  it('is refused with a different request, and belongs to one workspace', async () => {
    const one = await seedLine(runtime.db, 'idemone');
    const two = await seedLine(runtime.db, 'idemtwo');
    await runtime.calls.queueOutbound(one.actor, { from: one.number, to: TO }, 'shared');
    const other = await refusal(
      runtime.calls.queueOutbound(
        one.actor,
        { from: one.number, to: parsePhoneNumber('+15550109901') },
        'shared',
      ),
    );
    expect(other).toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 400 });
    await expect(
      runtime.calls.queueOutbound(two.actor, { from: two.number, to: TO }, 'shared'),
    ).resolves.toBeDefined();
  });

  it('remembers nothing of a request that was refused', async () => {
    const line = await seedLine(runtime.db, 'idemlimit', { workspace: { monthlyUsageLimitMinutes: 0 } });
    const body = { from: line.number, to: TO };
    expect((await refusal(runtime.calls.queueOutbound(line.actor, body, 'again'))).code).toBe(
      'USAGE_LIMIT_EXCEEDED',
    );
    await runtime.db
      .update(workspaces)
      .set({ monthlyUsageLimitMinutes: 5 })
      .where(eq(workspaces.id, line.actor.workspaceId));
    await expect(runtime.calls.queueOutbound(line.actor, body, 'again')).resolves.toBeDefined();
  });
});

describe('the monthly limit', () => {
  it('refuses everything at 0 with 403 and leaves no trace', async () => {
    const line = await seedLine(runtime.db, 'zero', { workspace: { monthlyUsageLimitMinutes: 0 } });
    const refused = await refusal(runtime.calls.queueOutbound(line.actor, { from: line.number, to: TO }));
    expect(refused).toMatchObject({ code: 'USAGE_LIMIT_EXCEEDED', status: 403 });
    expect(await runtime.db.$count(calls, eq(calls.workspaceId, line.actor.workspaceId))).toBe(0);
  });

  it(
    'holds one minute per accepted call and gives it back when a call is cancelled',
    { tags: ['postgres'] },
    async () => {
      const line = await seedLine(runtime.db, 'two', { workspace: { monthlyUsageLimitMinutes: 2 } });
      const place = () => runtime.calls.queueOutbound(line.actor, { from: line.number, to: TO });
      const first = await place();
      await place();
      expect((await refusal(place())).code).toBe('USAGE_LIMIT_EXCEEDED');
      await runtime.queue.ensure({ name: 'webhook.waiting' });
      await runtime.calls.cancel(line.actor, first.conversationId);
      await expect(place()).resolves.toBeDefined();
      const [month] = await runtime.db
        .select()
        .from(usageMonths)
        .where(eq(usageMonths.workspaceId, line.actor.workspaceId));
      expect(month).toMatchObject({ month: usageMonthOf(new Date()), usedSeconds: 0, reservedSeconds: 120 });
    },
  );
});

describe('cancelling', () => {
  it(
    'turns a queued call into a failed conversation with its webhook, once',
    { tags: ['postgres'] },
    async () => {
      const line = await seedLine(runtime.db, 'cancel');
      const { conversationId } = await runtime.calls.queueOutbound(line.actor, { from: line.number, to: TO });
      const read = async () => (await runtime.conversations.get(line.actor, conversationId)).parse();
      expect(await read()).toBeNull();
      await runtime.calls.cancel(line.actor, conversationId);
      expect(await read()).toMatchObject({
        durationSeconds: 0,
        cost: 0,
        summary: null,
        transcript: '',
        tags: [],
        sentimentClassification: 'N_A',
      });
      const detail = await runtime.conversations.getCall(line.actor, conversationId);
      expect(detail).toMatchObject({
        status: 'ended',
        disposition: 'FAILED',
        recordingUrl: null,
        webhook: { status: 'pending' },
      });
      expect(detail.events.map((event) => event.type)).toEqual([
        'call.queued',
        'call.wrapping_up',
        'call.ended',
      ]);
      expect((await refusal(runtime.calls.cancel(line.actor, conversationId))).code).toBe('INVALID_STATE');
    },
  );

  it("does not touch another workspace's call", async () => {
    const { conversationId } = await runtime.calls.queueOutbound(alpha.actor, { from: alpha.number, to: TO });
    expect((await refusal(runtime.calls.cancel(beta.actor, conversationId))).status).toBe(403);
    expect((await refusal(runtime.calls.cancel(beta.actor, 'cnv_none'))).status).toBe(404);
  });
});

describe('a test call', () => {
  it('is an outbound call that is marked, holds no minute of the month and asks for no webhook', async () => {
    const line = await seedLine(runtime.db, 'testcall', { workspace: { monthlyUsageLimitMinutes: 0 } });
    const { callId } = await runtime.calls.placeTest(line.actor, { from: line.number, to: TO });
    const [row] = await runtime.db.select().from(calls).where(eq(calls.id, callId));
    expect(row).toMatchObject({
      isTest: true,
      reservedSeconds: 0,
      direction: 'OUTBOUND',
      humanPhoneNumber: TO,
    });
    await runtime.calls.cancel(line.actor, callId);
  });

  it('has the variables that were filled in', async () => {
    const line = await seedLine(runtime.db, 'testvariables');
    const variables = { name: 'Alex' };
    const { callId } = await runtime.calls.placeTest(line.actor, { from: line.number, to: TO, variables });
    const [row] = await runtime.db.select().from(calls).where(eq(calls.id, callId));
    expect(row?.variables).toEqual(variables);
    await runtime.calls.cancel(line.actor, callId);
  });

  it('is refused for a number that opted out, as any other', async () => {
    const line = await seedLine(runtime.db, 'testoptout');
    await runtime.optOuts.add(line.actor, { number: TO });
    const refused = refusal(runtime.calls.placeTest(line.actor, { from: line.number, to: TO }));
    expect(await refused).toMatchObject({ code: 'OPTED_OUT' });
  });
});
