import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { callAttempts, calls } from '#db/schema/calls.ts';
import { agentSplits } from '#db/schema/versions.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';
import { NO_RETRY, type RetryRule } from '#lib/features/prompts/retry/rules.ts';
import { currentVersionId } from '#lib/features/versions/service.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { type RunConversation, type SeededLine, seedLine, shortConversation, untilTold } from '../testing.ts';
import { callWorker, clockAhead, startCallsRuntime } from './testing.ts';
import { optOutUnannounced } from '#lib/features/opt-outs/testing.ts';

const TWICE: RetryRule = { isOn: true, attempts: 3, delayMinutes: 10, on: ['busy', 'no_answer'] };
const ANN = parsePhoneNumber('+15550109900');

let runtime: TestRuntime;

beforeAll(async () => {
  runtime = await startCallsRuntime();
});
afterAll(() => runtime.close());

const isBusy: RunConversation = async () => ({
  ...neverConnected('busy', 'The line was busy.'),
  recording: null,
});

/** A process whose clock can be put ahead. */
function worker(run: RunConversation) {
  const { clock, jump } = clockAhead(runtime);
  return { ...callWorker(runtime, run, { clock }), jump: (minutes: number) => jump(minutes * 60_000) };
}

type Worker = ReturnType<typeof worker>;

async function seed(name: string, retry: RetryRule, workspace = {}): Promise<SeededLine> {
  const line = await seedLine(runtime.db, name, { workspace });
  await runtime.db.update(outboundPrompts).set({ retry }).where(eq(outboundPrompts.id, line.promptId));
  return line;
}

const rowsOf = (line: SeededLine) =>
  runtime.db
    .select()
    .from(calls)
    .where(eq(calls.workspaceId, line.actor.workspaceId))
    .orderBy(asc(calls.attempt));

async function settled(workers: Worker[], line: SeededLine, endedCount: number) {
  const areEnded = async () =>
    (await rowsOf(line)).filter(({ status }) => status === 'ended').length === endedCount;
  await untilTold(workers, line.actor.workspaceId, areEnded);
  return rowsOf(line);
}

async function callOnce(line: SeededLine, run: RunConversation) {
  const here = worker(run);
  await here.calls.queueOutbound(line.actor, { from: line.number, to: ANN, variables: { name: 'Ann' } });
  await here.dispatcher.fill(line.actor.workspaceId);
  return { ...here, rows: await settled([here], line, 1) };
}

describe('a person who was busy', () => {
  it(
    'is called again after the delay, as a call of its own, and not once more than the prompt says',
    { tags: ['postgres'] },
    async () => {
      const line = await seed('again', TWICE);
      const here = await callOnce(line, isBusy);
      const [first, second] = here.rows;
      expect(second).toMatchObject({
        status: 'queued',
        retryOf: first?.id,
        attempt: 2,
        attemptsPlanned: 3,
        variables: { name: 'Ann' },
        humanPhoneNumber: ANN,
        reservedSeconds: 60,
      });
      const waitedMs = (second?.notBefore?.getTime() ?? 0) - (first?.endedAt?.getTime() ?? 0);
      expect(Math.round(waitedMs / 1000)).toBe(600);
      await here.dispatcher.fill(line.actor.workspaceId);
      expect(here.carrier.dialled).toHaveLength(1);
      here.jump(11);
      await here.dispatcher.fill(line.actor.workspaceId);
      await settled([here], line, 2);
      here.jump(11);
      await here.dispatcher.fill(line.actor.workspaceId);
      const all = await settled([here], line, 3);
      expect(all.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
      expect(new Set(here.carrier.dialled).size).toBe(3);
      const own = eq(callAttempts.workspaceId, line.actor.workspaceId);
      expect(await runtime.db.$count(callAttempts, own)).toBe(3);
      const hooks = eq(webhookDeliveries.workspaceId, line.actor.workspaceId);
      expect(await runtime.db.$count(webhookDeliveries, hooks)).toBe(3);
      const shown = await runtime.conversations.getCall(line.actor, all[1]?.id ?? '');
      expect(shown).toMatchObject({ attempt: 2, attemptsPlanned: 3 });
      expect(shown.attempts.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
    },
  );

  it('is not called again where the prompt does not say so, or not for that reason', async () => {
    const off = await seed('off', NO_RETRY);
    const other = await seed('other', { ...TWICE, on: ['no_answer'] });
    for (const line of [off, other]) expect((await callOnce(line, isBusy)).rows).toHaveLength(1);
    const shown = await runtime.conversations.getCall(off.actor, (await rowsOf(off))[0]?.id ?? '');
    expect(shown).toMatchObject({ attempt: 1, attemptsPlanned: 1, attempts: [] });
  });

  it('is not called again after an opt-out, and the timeline says why', async () => {
    const line = await seed('optout', TWICE);
    const optsOut: RunConversation = async (conversation) => {
      await optOutUnannounced(runtime.db, line.actor.workspaceId, ANN);
      return isBusy(conversation);
    };
    const { rows } = await callOnce(line, optsOut);
    expect(rows).toHaveLength(1);
    const shown = await runtime.conversations.getCall(line.actor, rows[0]?.id ?? '');
    expect(shown.events.find(({ type }) => type === 'retry.refused')?.data).toMatchObject({
      reason: 'opted out',
    });
  });
});

describe('what changes while a call runs', () => {
  /** Changes the prompt and what the agent's conversations shall yield, and finds nobody. */
  const changing =
    (line: SeededLine, retry: RetryRule): RunConversation =>
    async (...call) => {
      await runtime.db.update(outboundPrompts).set({ retry }).where(eq(outboundPrompts.id, line.promptId));
      const resultFields = [{ name: 'booked', type: 'yes_no' as const, question: 'Booked?', choices: [] }];
      await runtime.db.update(agents).set({ resultFields }).where(eq(agents.id, line.agentId));
      return isBusy(...call);
    };

  it('is not for it: further attempts and results follow the version that it was held with', async () => {
    const line = await seed('held_rule', TWICE);
    const { rows } = await callOnce(line, changing(line, { ...TWICE, attempts: 5, delayMinutes: 1 }));
    expect(rows).toMatchObject([
      { status: 'ended', results: null },
      { attempt: 2, attemptsPlanned: 3 },
    ]);
    const off = await seed('held_off', NO_RETRY);
    expect((await callOnce(off, changing(off, TWICE))).rows).toHaveLength(1);
  });

  it('ends the attempts where it switches them off', async () => {
    const line = await seed('switched_off', TWICE);
    expect((await callOnce(line, changing(line, NO_RETRY))).rows).toHaveLength(1);
  });

  it('and what is published leave a version with a share of the calls its own rule', async () => {
    const line = await seed('held_share', TWICE);
    const { workspaceId } = line.actor;
    const versionId = (await currentVersionId(runtime.db, runtime.ids, workspaceId, line.agentId)) ?? '';
    const own = eq(outboundPrompts.id, line.promptId);
    await runtime.db.update(outboundPrompts).set({ retry: NO_RETRY }).where(own);
    const place = { id: runtime.ids.next('split'), workspaceId, agentId: line.agentId };
    // Everybody is in it, as the id of the call is not known before.
    await runtime.db
      .insert(agentSplits)
      .values({ ...place, versionId, percent: 100, steps: [], startedAt: new Date() });
    const { rows } = await callOnce(line, isBusy);
    expect(rows).toMatchObject([{ agentVersionId: versionId }, { attempt: 2, attemptsPlanned: 3 }]);
  });

  it('ends the attempts where it deletes the prompt', async () => {
    const line = await seed('held_deleted', TWICE);
    const { rows } = await callOnce(line, async (...call) => {
      await runtime.db.delete(outboundPrompts).where(eq(outboundPrompts.id, line.promptId));
      return isBusy(...call);
    });
    expect(rows).toHaveLength(1);
  });
});

it('is never tried again once somebody, or a voicemail, answered', async () => {
  const answered = await seed('answered', TWICE);
  expect((await callOnce(answered, shortConversation())).rows).toHaveLength(1);
  const machine = await seed('machine', TWICE);
  const voicemail = shortConversation({ answeredBy: 'machine', voicemail: 'no_message' });
  expect((await callOnce(machine, voicemail)).rows).toHaveLength(1);
});

it('has exactly one next attempt, whoever ends the call and how often', { tags: ['postgres'] }, async () => {
  const line = await seed('once', TWICE);
  const here = worker(isBusy);
  for (let index = 0; index < 6; index += 1)
    await here.calls.queueOutbound(line.actor, { from: line.number, to: ANN, variables: { name: 'Ann' } });
  const others = [worker(isBusy), worker(isBusy)];
  await Promise.all([here, ...others].map(({ dispatcher }) => dispatcher.fill(line.actor.workspaceId)));
  const rows = await settled([here, ...others], line, 6);
  const next = rows.filter(({ attempt }) => attempt === 2);
  expect(new Set(next.map(({ retryOf }) => retryOf)).size).toBe(6);
  expect(rows).toHaveLength(12);
});
