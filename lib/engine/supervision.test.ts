import { afterAll, expect, it } from 'vitest';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { prepareSimulated } from '#lib/adapters/carriers/simulated/prepare-conversation.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import type { TurnRecord } from './plan.ts';
import { runConversation } from './run-conversation.ts';
import { type CallOrder, createSupervision, type LiveWords } from './supervision.ts';
import {
  createMemorySinks,
  noKnowledge,
  noWorkspaceTool,
  noLiveAudio,
  planForTest,
  silentLog,
} from './testing.ts';

const speech = createFliteSpeech();
afterAll(() => speech.close());

/** A call with the person who talks briefly; `order` is given when the person's first turn was stored. */
async function call(
  order: CallOrder | undefined,
  { wantsWords = false, whileItRings = false, to = '+15550199900' } = {},
) {
  const carrier = createSimulatedCarrier({ speed: 0, speech, clock: manualClock() });
  const humanPhoneNumber = parsePhoneNumber(to);
  const leg = await carrier.dial({ reference: 'supervised', to: humanPhoneNumber });
  const words: LiveWords[] = [];
  const supervision = createSupervision({ words: (said) => words.push(said), sound: () => undefined });
  if (wantsWords) supervision.want({ words: true, sound: false });
  const sinks = createMemorySinks();
  let isOrdered = whileItRings;
  if (whileItRings && order) supervision.order(order);
  const turn = (record: TurnRecord) => {
    sinks.turn(record);
    if (record.speaker !== 'human' || isOrdered || !order) return;
    isOrdered = true;
    supervision.order(order);
  };
  const result = await runConversation(
    prepareSimulated({
      plan: planForTest({ humanPhoneNumber }),
      leg,
      openSpokenLeg: noLiveAudio,
      voices: speech.voices,
      languageModel: undefined,
      searchKnowledge: noKnowledge,
      useWorkspaceTool: noWorkspaceTool,
      sinks: { ...sinks, turn },
      supervision,
      clock: systemClock,
      ids: countingIds(),
      log: silentLog,
      signal: new AbortController().signal,
    }),
  );
  for await (const _ of result.recording?.body ?? []) break;
  const lines = sinks.transcript().split('\n');
  return { result, lines, words, events: sinks.events };
}

it('an ordered end is a goodbye that is heard, and is told as what it is', async () => {
  const { result, lines, events } = await call({ kind: 'end' });
  expect(result).toMatchObject({
    endedBy: 'staff',
    endReason: 'A member of staff ended the call.',
    transferredTo: null,
  });
  expect(lines.at(-1)).toBe('Agent: Thank you for your time. Goodbye.');
  expect(lines.filter((line) => line.startsWith('Human:'))).toHaveLength(1);
  expect(events).toContainEqual({ type: 'order', data: { kind: 'end' } });
});

it('an ordered end names who ordered it', async () => {
  const { result, events } = await call({ kind: 'end', by: 'Olga Alpha' });
  expect(result).toMatchObject({ endedBy: 'staff', endReason: 'Olga Alpha ended the call.' });
  // Events are read by whoever has a key; who acted stands in the audit log.
  expect(events).toContainEqual({ type: 'order', data: { kind: 'end' } });
});

it('an end that is ordered while it rings is told as what it is, whatever the carrier says of it', async () => {
  for (const to of ['+15550199900', '+15550199907'])
    expect((await call({ kind: 'end', by: 'Olga Alpha' }, { whileItRings: true, to })).result).toMatchObject({
      connected: false,
      endedBy: 'staff',
      neverConnectedReason: 'ended_by_staff',
      endReason: 'Olga Alpha ended the call before it was answered.',
    });
});

it('an ordered transfer says the hand-over first and reaches the number', async () => {
  const { result, lines } = await call({ kind: 'transfer', to: '+15550177700' });
  expect(result).toMatchObject({
    endedBy: 'staff',
    endReason: 'A member of staff transferred the call.',
    transferredTo: '+15550177700',
  });
  expect(lines.at(-1)).toBe('Agent: One moment, please. I am connecting you with a colleague.');
});

it('a transfer that reaches nobody gives the person back to the agent, who ends the call itself', async () => {
  const { result, lines } = await call({ kind: 'transfer', to: '+15550177708' });
  expect(result).toMatchObject({ transferredTo: null });
  expect(result.endedBy).not.toBe('staff');
  const handover = lines.findIndex((line) => line.includes('connecting you'));
  expect(lines.length).toBeGreaterThan(handover + 2);
});

it('tells the words of the agent as soon as they are heard, and none where nobody wants them', async () => {
  const watched = await call(undefined, { wantsWords: true });
  const said = watched.words.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
  expect(said.slice(0, 2)).toEqual([
    'Hello Anna, this is Mia from Alpha Dental.',
    'Hello Anna, this is Mia from Alpha Dental. Do you have a minute?',
  ]);
  expect((await call(undefined)).words).toEqual([]);
});

it('gives sound only while somebody wants it', async () => {
  const hands = manualClock();
  const startedAtMs = hands.now().getTime();
  let sounds = 0;
  const supervision = createSupervision({ words: () => undefined, sound: () => (sounds += 1) });
  const nowMs = () => hands.now().getTime() - startedAtMs;
  supervision.begin({ clock: { nowMs, sleep: hands.sleep }, onOrder: () => undefined });
  await hands.advance(2_000);
  expect(sounds).toBe(0);
  supervision.want({ words: false, sound: true });
  await hands.advance(2_000);
  expect(sounds).toBeGreaterThan(15);
  const before = sounds;
  supervision.want({ words: true, sound: false });
  await hands.advance(2_000);
  expect(sounds).toBe(before);
});
