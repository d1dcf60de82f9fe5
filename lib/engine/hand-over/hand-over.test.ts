import { expect, it } from 'vitest';
import { levelDb } from '#lib/media/level.ts';
import { tone } from '#lib/media/testing.ts';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { SpokenLeg } from '#lib/ports/carrier.ts';
import { createFakeMediaLeg } from '#lib/ports/media-leg-testing.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { openSpokenLeg } from '../spoken-leg.ts';
import { planForTest } from '../testing.ts';
import { createHandOver } from './hand-over.ts';

const said: string[] = [];
/** 20 ms of sound per character. */
const speech: Pick<SpeechSynthesizer, 'synthesize'> = {
  async *synthesize({ text }) {
    said.push(text);
    yield { samples: tone(text.length * 20, { hz: 300, db: -20 }) };
  },
};

const TRANSFER = { kind: 'transfer', to: '+15550142000', callerId: '+15550199900' } as const;

/** A person on the line, and a colleague who is called over another. */
function scene({ mode = 'warm' }: { mode?: 'cold' | 'warm' } = {}) {
  const clock = createTestCallClock();
  const person = createFakeMediaLeg(clock);
  const colleague = createFakeMediaLeg(clock);
  const called: unknown[] = [];
  const listening = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
  const open = (leg: typeof person.leg) =>
    openSpokenLeg(leg, {
      transcriber: undefined,
      speech,
      listening,
      listen: () => ({ agentSaid: () => undefined, agentSpeaking: () => undefined, close: () => undefined }),
    });
  const leg: SpokenLeg = open(person.leg);
  const over = new AbortController();
  const recorded: { side: string; samples: Int16Array }[] = [];
  leg.record((side, samples) => recorded.push({ side, samples: samples.slice() }));
  const reading = async () => {
    for await (const _ of leg.events);
    over.abort();
  };
  void reading();
  person.farEnd.answer();
  const handOver = createHandOver({
    plan: planForTest({ transferMode: mode }),
    leg,
    openSpokenLeg: open,
    reachColleague: async (request) => {
      called.push(request);
      return colleague.leg;
    },
    lastWords: () => 'I was charged twice for my order.',
  });
  let connected = false;
  const result = handOver(TRANSFER, { signal: over.signal, onConnected: () => void (connected = true) });
  let settled: Awaited<typeof result> | undefined;
  void result.then((value) => (settled = value));
  said.length = 0;
  return {
    clock,
    person: person.farEnd,
    colleague: colleague.farEnd,
    called,
    recorded,
    result: () => settled,
    isConnected: () => connected,
  };
}

/** Whether something was heard in the last `ms`. */
const hears = (farEnd: { heard(): Int16Array }, ms: number) =>
  levelDb(farEnd.heard().subarray(-ms * 16)) > -50;

async function taken() {
  const call = scene();
  await call.clock.pass(2_000);
  call.colleague.answer('unknown');
  await call.clock.passUntil('the briefing', () => said.length > 0);
  await call.clock.pass(6_000);
  call.colleague.press('1');
  await call.clock.pass(500);
  return call;
}

it('calls the colleague, says what it is about, and connects both when the key is pressed', async () => {
  const call = scene();
  await call.clock.pass(1_000);
  expect(call.called).toEqual([TRANSFER]);
  // Who waits is not left in silence.
  expect(hears(call.person, 900)).toBe(true);
  call.colleague.answer('unknown');
  await call.clock.passUntil('the briefing', () => hears(call.colleague, 100));
  expect(said.join(' ')).toMatch(
    /is on the line for you\. It is about this: I was charged twice for my order\. .*press 1/,
  );
  expect(call.isConnected()).toBe(false);
  call.colleague.press('5');
  await call.clock.pass(200);
  expect(call.isConnected()).toBe(false);
  call.colleague.press('1');
  await call.clock.pass(200);
  expect(call.isConnected()).toBe(true);
  await call.clock.pass(1_000);
  expect(hears(call.colleague, 500)).toBe(false);
  call.person.say(tone(1_000, { hz: 500, db: -20 }));
  await call.clock.pass(700);
  expect(hears(call.colleague, 300)).toBe(true);
  expect(hears(call.person, 300)).toBe(false);
  await call.clock.pass(1_000);
  call.colleague.say(tone(1_000, { hz: 700, db: -20 }));
  await call.clock.pass(700);
  expect(hears(call.person, 300)).toBe(true);
  expect(hears(call.colleague, 300)).toBe(false);
});

it('keeps both voices in the recording, the colleague in the place of the agent', async () => {
  const call = await taken();
  call.recorded.length = 0;
  call.colleague.say(tone(1_000, { hz: 700, db: -20 }));
  call.person.say(tone(1_000, { hz: 500, db: -20 }));
  await call.clock.pass(1_500);
  for (const side of ['agent', 'human']) {
    const loud = call.recorded.filter((part) => part.side === side && levelDb(part.samples) > -30);
    const ms = loud.reduce((total, { samples }) => total + samples.length / 16, 0);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(1_100);
  }
});

it('is over when the colleague hangs up', async () => {
  const call = await taken();
  expect(call.result()).toBeUndefined();
  call.colleague.hangUp();
  await call.clock.pass(100);
  expect(call.result()).toEqual({ ok: true, mode: 'warm', isTold: true });
});

it('hangs up on the colleague when the person does', async () => {
  const call = await taken();
  call.person.hangUp();
  await call.clock.pass(100);
  expect(call.result()).toMatchObject({ ok: true });
  expect(call.colleague.isOver()).toBe(true);
});

it.each([
  ['busy', 'the other party was busy'],
  ['no_answer', 'the other party did not answer'],
  ['network_failure', 'the other party could not be reached'],
] as const)('comes back to the person where the line is %s', async (reason, told) => {
  const call = scene();
  await call.clock.pass(1_000);
  call.colleague.fail(reason);
  await call.clock.pass(100);
  expect(call.result()).toEqual({ ok: false, mode: 'warm', reason: told });
  await call.clock.pass(5_000);
  expect(hears(call.person, 4_000)).toBe(false);
});

it('comes back where nobody answers in thirty seconds, and stops the ringing', async () => {
  const call = scene();
  await call.clock.pass(31_000);
  expect(call.result()).toMatchObject({ ok: false, reason: 'the other party did not answer' });
  expect(call.colleague.isOver()).toBe(true);
});

it('comes back from whoever says nothing, such as a machine, after saying it twice', async () => {
  const call = scene();
  await call.clock.pass(1_000);
  call.colleague.answer('unknown');
  await call.clock.passUntil('the end', () => call.result() !== undefined);
  expect(said.filter((text) => text.includes('on the line'))).toHaveLength(2);
  expect(call.result()).toMatchObject({ ok: false, reason: 'the other party did not take the call' });
  expect(call.colleague.isOver()).toBe(true);
});

it('does not talk to an answering machine', async () => {
  const call = scene();
  await call.clock.pass(1_000);
  call.colleague.answer('machine');
  await call.clock.pass(100);
  expect(call.result()).toMatchObject({ ok: false, reason: 'an answering machine answered' });
  expect(said).toEqual([]);
});

it('calls nobody any more where the person hangs up meanwhile', async () => {
  const call = scene();
  await call.clock.pass(1_000);
  call.person.hangUp();
  await call.clock.pass(100);
  expect(call.result()).toMatchObject({ ok: false });
  expect(call.colleague.isOver()).toBe(true);
});

it('leaves a cold transfer to the carrier', async () => {
  const call = scene({ mode: 'cold' });
  await call.clock.pass(100);
  expect(call.called).toEqual([]);
  expect(call.person.transfers).toEqual([{ to: TRANSFER.to, callerId: TRANSFER.callerId }]);
  expect(call.result()).toEqual({ ok: true, mode: 'cold', isTold: false });
});

it.each([
  ['Yes.', true],
  ['Okay, sure.', true],
  ['Yes, put them through.', true],
  ['No, not now.', false],
  ['Please leave a message after the tone.', false],
])('takes "%s" for an answer where speech is understood: %s', async (words, isTaken) => {
  const call = scene();
  await call.clock.pass(1_000);
  call.colleague.answer('unknown');
  // A greeting before anything was said is no answer.
  call.colleague.text('Yes?', 'recognized');
  await call.clock.passUntil('the briefing', () => said.length > 0);
  expect(call.isConnected()).toBe(false);
  await call.clock.pass(6_000);
  call.colleague.text('Hello?', 'recognized');
  await call.clock.pass(200);
  expect(call.isConnected()).toBe(false);
  call.colleague.text(words, 'recognized');
  await call.clock.pass(200);
  expect(call.isConnected()).toBe(isTaken);
  expect(call.result()?.ok).toBe(isTaken ? undefined : false);
});
