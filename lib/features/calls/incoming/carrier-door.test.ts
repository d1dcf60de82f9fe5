import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditEvents } from '#db/schema/keys.ts';
import { calls } from '#db/schema/calls.ts';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { openModels } from '#lib/conversation-runtime.ts';
import { createSilentSpeech } from '#lib/engine/testing.ts';
import { parseEnv } from '#lib/env.ts';
import { createLogger } from '#lib/log.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { Carrier, Leg, TakeIncoming } from '#lib/ports/carrier.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';
import { type SeededLine, seedLine } from '../testing.ts';

/** A carrier of the network, whose callers are simulated people. */
function createNetwork() {
  const people = createSimulatedCarrier({ speed: 0, speech: createSilentSpeech(), clock: manualClock() });
  const lines = new Map<string, Leg>();
  const pickedUp: string[] = [];
  let take: TakeIncoming | undefined;
  let lastCall = 0;
  const carrier: Carrier = {
    kind: 'sip',
    dial: () => Promise.reject(new Error('nobody is dialled')),
    lookup: async () => 'unknown',
    listen: async (asked) => void (take = asked),
    async pickUp(reference) {
      pickedUp.push(reference);
      const line = lines.get(reference);
      if (!line) throw new Error('the caller is gone');
      return line;
    },
  };
  return {
    carrier,
    pickedUp,
    /** Somebody calls who behaves like the simulated `person`. */
    async ring(call: { to: string; from?: string | null; person?: string }, meanwhile = (_leg: Leg) => {}) {
      if (!take) throw new Error('nobody listens');
      const reference = `line-${(lastCall += 1)}`;
      const line = people.callIn({ reference, from: `+155501099${call.person ?? '00'}` });
      lines.set(reference, line);
      meanwhile(line);
      const from = call.from === undefined ? '+15550109900' : call.from;
      return { line, answer: await take({ reference, to: call.to, from }) };
    },
  };
}

const network = createNetwork();
let runtime: TestRuntime;

beforeAll(async () => {
  const models = openModels(parseEnv({ SIMULATION_SPEED: '0' }), createLogger('silent'));
  runtime = await startTestRuntime({
    worker: true,
    overrides: { carriers: { ...models.carriers, sip: network.carrier } },
  });
  await runtime.takeCalls();
});
afterAll(() => runtime.close());

const seed = (name: string, settings: Parameters<typeof seedLine>[2] = {}) =>
  seedLine(runtime.db, name, { ...settings, number: { carrier: 'sip', ...settings.number } });
const rowsOf = (line: SeededLine) =>
  runtime.db.select().from(calls).where(eq(calls.workspaceId, line.actor.workspaceId));

async function endedCall(line: SeededLine) {
  for (let tries = 0; tries < 400; tries += 1) {
    const [row] = await rowsOf(line);
    if (row?.status === 'ended') return row;
    await runtime.clock.sleep(25);
  }
  throw new Error('the call did not end');
}

it('is answered by the agent of the number that was called, whatever workspace that is, however it is written', async () => {
  const line = await seed('network', { number: { number: '+442071838750' } });
  const { answer } = await network.ring({ to: '442071838750', from: '5550109900' });
  expect(answer).toEqual({ ok: true, callId: expect.stringMatching(/^cnv_/) });
  expect(await endedCall(line)).toMatchObject({
    id: answer.ok ? answer.callId : '',
    direction: 'INBOUND',
    carrier: 'sip',
    disposition: 'COMPLETED',
    agentPhoneNumber: '+442071838750',
    humanPhoneNumber: '+15550109900',
    transcript: expect.stringContaining('Human: '),
  });
  // Nobody placed it.
  const audited = eq(auditEvents.workspaceId, line.actor.workspaceId);
  expect(await runtime.db.$count(auditEvents, audited)).toBe(0);
});

it('is refused with a reason, and nothing written, by those who cannot take it', async () => {
  const refused = async (line: SeededLine) => (await network.ring({ to: line.number })).answer;
  expect((await network.ring({ to: '+15550999999' })).answer).toEqual({
    ok: false,
    reason: 'unknown_number',
  });
  expect((await network.ring({ to: "x' or 1=1 --" })).answer).toEqual({
    ok: false,
    reason: 'unknown_number',
  });
  const elsewhere = await seed('elsewhere', { number: { carrier: 'twilio' } });
  expect(await refused(elsewhere)).toEqual({ ok: false, reason: 'unknown_number' });
  const off = await seed('off', { agent: { isActive: false } });
  expect(await refused(off)).toEqual({ ok: false, reason: 'agent_off' });
  const spent = await seed('nomoney', {
    workspace: { monthlyUsageLimitMinutes: 0, refusesIncomingAtLimit: true },
  });
  expect(await refused(spent)).toEqual({ ok: false, reason: 'usage_limit' });
  const full = await seed('nolines', { workspace: { maxConcurrentCalls: 0 } });
  expect(await refused(full)).toEqual({ ok: false, reason: 'at_capacity' });
  expect((await Promise.all([elsewhere, off, spent, full].map(rowsOf))).flat()).toEqual([]);
});

it('shows the agent as the caller of a transfer where the number is withheld', async () => {
  const line = await seed('withheld', { agent: { hasCallTransfer: true } });
  await network.ring({ to: line.number, from: null, person: '04' });
  const call = await endedCall(line);
  expect(call).toMatchObject({ humanPhoneNumber: 'anonymous', disposition: 'TRANSFERRED' });
  const { events } = await runtime.conversations.getCall(line.actor, call.id);
  expect(events.find(({ type }) => type === 'transfer')?.data).toMatchObject({ callerId: line.number });
});

it('hangs up on a caller whom the agent cannot talk to, and keeps why', async () => {
  const line = await seed('foreign', { agent: { hasLanguage: true, language: 'de-DE' } });
  const { line: leg, answer } = await network.ring({ to: line.number });
  expect(answer.ok).toBe(true);
  const events = [];
  for await (const event of leg.events) events.push(event.type);
  expect(events).toEqual(['hangup']);
  expect(await endedCall(line)).toMatchObject({
    disposition: 'FAILED',
    endReason: expect.stringMatching(/German/),
  });
});

it('ends as never connected where the caller hangs up before the answer', async () => {
  const line = await seed('impatient');
  await network.ring({ to: line.number }, (leg) => void leg.hangUp());
  expect(await endedCall(line)).toMatchObject({
    disposition: 'FAILED',
    endReason: 'The call was cancelled before it was answered.',
  });
});
