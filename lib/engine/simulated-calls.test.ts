import { afterAll, describe, expect, it } from 'vitest';
import { createSimulatedCarrier } from '#lib/adapters/carriers/simulated/carrier.ts';
import { prepareSimulated } from '#lib/adapters/carriers/simulated/prepare-conversation.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { CallPlan, KnowledgeHit } from './plan.ts';
import { runConversation } from './run-conversation.ts';
import {
  createMemorySinks,
  noKnowledge,
  noWorkspaceTool,
  noLiveAudio,
  planForTest,
  readRecording,
  silentLog,
} from './testing.ts';

/** Enough of them that every line of a person is said: two on every run, the others nightly. */
const REFERENCES = Array.from({ length: 8 }, (_, index) => `person-${index}`);

function withEachPerson(name: string, check: (reference: string) => Promise<void>): void {
  it.each(REFERENCES.slice(0, 2))(name, check);
  it.each(REFERENCES.slice(2))(name, { tags: ['nightly'] }, check);
}

const speech = createFliteSpeech();
afterAll(() => speech.close());

/** One whole call as fast as possible, with real voices on both sides. */
async function call(
  lastTwoDigits: string,
  options: {
    plan?: Parameters<typeof planForTest>[0];
    variables?: Record<string, string>;
    knowledge?: KnowledgeHit[];
    reference?: string;
  } = {},
) {
  const carrier = createSimulatedCarrier({ speed: 0, speech, clock: manualClock() });
  const humanPhoneNumber = parsePhoneNumber(`+155501999${lastTwoDigits}`);
  const plan: CallPlan = planForTest({
    humanPhoneNumber,
    hasKnowledge: options.knowledge !== undefined,
    variables: { name: 'Anna', ...options.variables },
    ...options.plan,
  });
  const reference = options.reference ?? `call-${lastTwoDigits}`;
  const leg =
    plan.direction === 'OUTBOUND'
      ? await carrier.dial({ reference, to: humanPhoneNumber })
      : carrier.callIn({ reference, from: humanPhoneNumber });
  const sinks = createMemorySinks();
  const result = await runConversation(
    prepareSimulated({
      plan,
      leg,
      openSpokenLeg: noLiveAudio,
      voices: speech.voices,
      languageModel: undefined,
      searchKnowledge: options.knowledge ? async () => options.knowledge ?? [] : noKnowledge,
      useWorkspaceTool: noWorkspaceTool,
      sinks,
      clock: systemClock,
      ids: countingIds(),
      log: silentLog,
      signal: new AbortController().signal,
    }),
  );
  const wav = await readRecording(result);
  return { result, sinks, wav, transcript: sinks.transcript(), tools: sinks.toolUses.map((use) => use.name) };
}

/** Loudest sample of one channel between two times. */
function loudness(wav: Buffer, channel: 0 | 1, fromMs: number, toMs: number): number {
  let loudest = 0;
  for (let sample = fromMs * 16; sample < toMs * 16; sample += 3) {
    const offset = 44 + sample * 4 + channel * 2;
    if (offset + 2 <= wav.length) loudest = Math.max(loudest, Math.abs(wav.readInt16LE(offset)));
  }
  return loudest;
}

describe('a simulated call', () => {
  it('00: talks briefly, states its purpose and says goodbye', async () => {
    const { result, transcript, tools } = await call('00');
    expect(result).toMatchObject({
      connected: true,
      answeredBy: 'human',
      endedBy: 'agent',
      voicemail: null,
      appointment: null,
      callback: null,
    });
    expect(transcript.split('\n')[0]).toBe(
      'Agent: Hello Anna, this is Mia from Alpha Dental. Do you have a minute?',
    );
    expect(transcript).toContain('I am calling to remind you of your dental check-up');
    expect(transcript.split('\n').at(-1)).toMatch(/^Agent: .*goodbye/i);
    expect(tools).toEqual(['end_call']);
  });

  it('every number that is not listed behaves like 00', async () => {
    const { result, tools } = await call('77');
    expect(result).toMatchObject({ connected: true, endedBy: 'agent' });
    expect(tools).toEqual(['end_call']);
  });

  it('records both sides, exactly as long as the call, in step with the turns', async () => {
    const { result, sinks, wav } = await call('00');
    if (!wav) throw new Error('no recording');
    expect(wav.length).toBe(result.recording?.sizeBytes);
    expect((wav.length - 44) / 64).toBeCloseTo(result.durationMs, -1);
    expect([
      wav.toString('latin1', 0, 4),
      wav.readUInt16LE(22),
      wav.readUInt32LE(24),
      wav.readUInt16LE(34),
    ]).toEqual(['RIFF', 2, 16_000, 16]);
    for (const turn of sinks.turns) {
      const [own, other] = turn.speaker === 'agent' ? ([0, 1] as const) : ([1, 0] as const);
      expect(loudness(wav, own, turn.startedMs, turn.endedMs), turn.text).toBeGreaterThan(1_000);
      expect(loudness(wav, other, turn.startedMs, turn.endedMs), turn.text).toBe(0);
    }
  });

  it('takes the same course each time for one reference, and another for another', async () => {
    const [first, again, other] = [
      await call('00'),
      await call('00'),
      await call('00', { reference: 'other' }),
    ];
    expect(again.sinks.turns).toEqual(first.sinks.turns);
    expect(again.wav?.equals(first.wav ?? Buffer.alloc(0))).toBe(true);
    expect(other.sinks.turns).not.toEqual(first.sinks.turns);
  });

  withEachPerson('01: agrees on a definite day and time (%s)', async (reference) => {
    const { result, transcript, tools } = await call('01', { reference });
    expect(tools).toEqual(['book_appointment', 'end_call']);
    expect(result.appointment?.timeZone).toBe('Europe/Berlin');
    expect(new Date(result.appointment?.startsAt ?? 0).getTime()).toBeGreaterThan(
      planForTest().startedAt.getTime(),
    );
    expect(transcript).toContain(`booked for ${result.appointment?.spoken}`);
  });

  withEachPerson('02: takes a callback without a slot (%s)', async (reference) => {
    const { result, tools } = await call('02', { reference });
    expect(result.callback?.spoken).toMatch(/later|another time|next week/);
    expect(result.appointment).toBeNull();
    expect(tools).toEqual(['schedule_callback', 'end_call']);
  });

  withEachPerson('03: accepts a refusal at once (%s)', async (reference) => {
    const { result, transcript, tools } = await call('03', { reference });
    expect(transcript).toMatch(/Human: .*not interested/i);
    expect(result).toMatchObject({ endedBy: 'agent', appointment: null, callback: null });
    expect(tools).toEqual(['end_call']);
  });

  withEachPerson(
    '04: hands over to a human where it can, with the number that the setting names (%s)',
    async (reference) => {
      const { result, transcript, sinks } = await call('04', {
        reference,
        plan: { transferNumber: '+15550142000', transferCallerId: 'agent' },
      });
      expect(result).toMatchObject({
        transferredTo: '+15550142000',
        endedBy: 'agent',
        endReason: 'The call was transferred.',
      });
      expect(transcript.split('\n').at(-1)).toMatch(/^Agent: .*connecting you with a colleague/);
      expect(sinks.events).toContainEqual({
        type: 'transfer',
        data: { to: '+15550142000', callerId: '+15550100001', ok: true },
      });
    },
  );

  it('04: talks to the colleague first where the setting says so', async () => {
    const to = { transferNumber: '+15550142000', transferMode: 'warm' } as const;
    const { result, sinks } = await call('04', { plan: to });
    expect(result).toMatchObject({ transferredTo: '+15550142000', endReason: 'The call was transferred.' });
    expect(sinks.events).toContainEqual({
      type: 'transfer',
      data: expect.objectContaining({ ok: true, mode: 'warm' }),
    });
    const cold = await call('04', { plan: { ...to, transferMode: 'cold' } });
    expect(result.durationMs).toBeGreaterThan(cold.result.durationMs + 5_000);
  });

  it('04: takes a message where it cannot transfer', async () => {
    const { result, transcript, tools } = await call('04', { plan: { hasCallTransfer: false } });
    expect(result).toMatchObject({ transferredTo: null, callback: null });
    expect(tools).toEqual(['end_call']);
    expect(transcript).toContain('somebody will be in touch');
  });

  it('04: takes a message when nobody answers the transfer', async () => {
    const { result, transcript, sinks } = await call('04', { plan: { transferNumber: '+15550142007' } });
    expect(result.transferredTo).toBeNull();
    expect(sinks.events).toContainEqual(
      expect.objectContaining({
        type: 'transfer',
        data: expect.objectContaining({ ok: false, reason: 'no answer' }),
      }),
    );
    expect(transcript).toContain('nobody is free right now');
  });

  it('05: leaves a message after the beep', async () => {
    const { result, transcript, sinks, wav } = await call('05');
    expect(result).toMatchObject({
      connected: true,
      answeredBy: 'machine',
      voicemail: 'message_left',
      endedBy: 'agent',
    });
    expect(transcript.split('\n')).toHaveLength(2);
    expect(transcript).toMatch(
      /Agent: Hello Anna, this is Mia from Alpha Dental\. I am calling to remind you .* goodbye\.$/,
    );
    const [greeting, message] = sinks.turns;
    if (!wav || !greeting || !message) throw new Error('no message');
    // The beep is in the recording, between the greeting and the message.
    expect(loudness(wav, 1, greeting.endedMs + 100, message.startedMs)).toBeGreaterThan(8_000);
  });

  it('06: leaves no message in a full mailbox', async () => {
    const { result, transcript } = await call('06');
    expect(result).toMatchObject({ connected: true, answeredBy: 'machine', voicemail: 'no_message' });
    expect(transcript).not.toContain('Agent:');
  });

  it.each([
    ['07', 'no_answer'],
    ['08', 'busy'],
    ['09', 'network_failure'],
  ])('%s: never connects', async (digits, reason) => {
    const { result, sinks } = await call(digits);
    expect(result).toMatchObject({
      connected: false,
      neverConnectedReason: reason,
      durationMs: 0,
      recording: null,
      endedBy: null,
    });
    expect(sinks.turns).toEqual([]);
    expect(sinks.events.map((event) => event.type)).toEqual(digits === '07' ? ['ringing'] : []);
  });

  it('10: is hung up on at once, and stores what was heard until then', async () => {
    const { result, sinks, wav } = await call('10');
    expect(result).toMatchObject({
      connected: true,
      endedBy: 'human',
      endReason: 'The person hung up without a word.',
    });
    expect(result.durationMs).toBeLessThan(1_000);
    expect(sinks.turns).toMatchObject([
      {
        speaker: 'agent',
        text: expect.stringMatching(/^Hello( Anna,)?$/),
        interrupted: true,
        intendedText: planForTest().prompt.opening,
      },
    ]);
    expect((wav?.length ?? 0) - 44).toBe(Math.round(result.durationMs * 16) * 4);
  });

  it.each(['a', 'b', 'c'])(
    '11: stops when it is interrupted, and the transcript shows only what was heard (%s)',
    async (reference) => {
      const { sinks, wav } = await call('11', { reference });
      const [opening, interruption] = sinks.turns;
      if (!opening || !interruption || !wav) throw new Error('no interruption');
      expect(opening).toMatchObject({
        speaker: 'agent',
        interrupted: true,
        intendedText: planForTest().prompt.opening,
      });
      expect(planForTest().prompt.opening.startsWith(`${opening.text} `)).toBe(true);
      expect(opening.text.length).toBeLessThan(planForTest().prompt.opening.length - 5);
      expect(interruption.speaker).toBe('human');
      // The agent falls silent half a second after the person began.
      expect(opening.endedMs - interruption.startedMs).toBe(500);
      expect(loudness(wav, 0, opening.endedMs + 1, interruption.endedMs)).toBe(0);
    },
  );

  it('11: waits for a longer sentence where the opening is too short to be interrupted', async () => {
    const { sinks } = await call('11', { plan: { prompt: { opening: 'Hello Anna?' } } });
    expect(sinks.turns[0]).toMatchObject({ text: 'Hello Anna?', interrupted: false });
    expect(sinks.turns.filter((turn) => turn.interrupted)).toHaveLength(1);
  });

  it('11: goes on speaking where barge-in is off', async () => {
    const { sinks } = await call('11', {
      plan: { listening: { hints: [], language: null, isMultilingual: false, hasBargeIn: false } },
    });
    const opening = sinks.turns.find((turn) => turn.seq === 1);
    expect(opening).toMatchObject({ text: planForTest().prompt.opening, interrupted: false });
    expect(sinks.transcript()).toContain('This is Mia from Alpha Dental.');
  });

  it('12: asks whether anybody is there, then ends politely at the silence limit', async () => {
    const { result, transcript } = await call('12');
    expect(transcript.split('\n')).toEqual([
      'Agent: Hello Anna, this is Mia from Alpha Dental. Do you have a minute?',
      'Agent: Hello, are you still there?',
      "Agent: I can't hear you, so I will end the call here. Goodbye.",
    ]);
    expect(result).toMatchObject({ endedBy: 'limit', endReason: 'Nobody spoke until the silence limit.' });
  });

  const parking = [
    {
      text: '# Getting here\nWe are in Main Street 5. Parking is free behind the house.',
      score: 0.7,
      documentName: 'faq.md',
      location: '1',
    },
  ];

  it('13: answers the question from the knowledge base', async () => {
    const { transcript, sinks } = await call('13', {
      variables: { question: 'Where can I park?' },
      knowledge: parking,
    });
    expect(transcript).toContain('Human: ');
    expect(transcript).toContain('Where can I park?');
    expect(transcript).toContain('Agent: Parking is free behind the house.');
    expect(sinks.toolUses[0]).toMatchObject({
      name: 'search_knowledge',
      arguments: { query: 'Where can I park?' },
    });
  });

  it('13: says that it does not know what the knowledge base does not hold', async () => {
    const { transcript, result } = await call('13', {
      variables: { question: 'Do you offer teeth whitening?' },
      knowledge: parking,
    });
    expect(transcript).toContain("I don't know that");
    expect(transcript).not.toContain('Parking');
    expect(result.callback).toBeNull();
  });

  it.each(['00', '01', '02', '03', '04', '11', '13'])(
    '%s: calls in with the same behaviour',
    async (digits) => {
      const { result, transcript, tools } = await call(digits, {
        plan: { direction: 'INBOUND', prompt: { opening: 'Alpha Dental, this is Mia. How can I help you?' } },
      });
      expect(transcript).toMatch(/^Agent: Alpha Dental/);
      expect(result.connected).toBe(true);
      expect(tools.at(-1)).toBe(digits === '04' ? 'transfer_call' : 'end_call');
      expect(result.appointment !== null).toBe(digits === '01');
      expect(result.callback !== null).toBe(digits === '02');
    },
  );

  it('never hangs up itself where it may not: the person does', async () => {
    const { result, tools } = await call('00', { plan: { hasEndCall: false } });
    expect(tools).toEqual([]);
    expect(result).toMatchObject({ endedBy: 'human', endReason: 'The person hung up.' });
  });

  it('forty calls at once keep apart', async () => {
    const calls = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        call(String(index % 14).padStart(2, '0'), { reference: `many-${index}` }),
      ),
    );
    const alone = await call('01', { reference: 'many-15' });
    expect(calls[15]?.sinks.turns).toEqual(alone.sinks.turns);
    expect(calls.filter(({ result }) => result.connected)).toHaveLength(31);
  });
});
