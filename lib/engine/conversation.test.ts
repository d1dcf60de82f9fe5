import { describe, expect, it } from 'vitest';
import { createCallClock } from '#lib/adapters/carriers/simulated/call-clock.ts';
import { createSimulatedLeg } from '#lib/adapters/carriers/simulated/leg.ts';
import { prepareSimulated } from '#lib/adapters/carriers/simulated/prepare-conversation.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createRandom } from '#lib/adapters/carriers/simulated/random.ts';
import { callWith, stayOnTheLine } from '#lib/adapters/carriers/simulated/testing.ts';
import type { LegEvent } from '#lib/ports/carrier.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import { runConversation } from './run-conversation.ts';
import {
  createMemorySinks,
  createSilentSpeech,
  noKnowledge,
  noWorkspaceTool,
  noLiveAudio,
  planForTest,
  readRecording,
  silentLog,
} from './testing.ts';

/** 60 ms per character: this opening lasts 3,840 ms. */
const OPENING = planForTest().prompt.opening;

/** Answers the last message, knowing the names of the tools it is offered. */
function modelThat(answer: (message: string, tools: string[]) => string): LanguageModel {
  return {
    model: 'double',
    async *respond({ messages, tools, signal }) {
      signal?.throwIfAborted();
      const names = tools.map((tool) => tool.name);
      yield { type: 'text', delta: answer(messages.at(-1)?.content ?? '', names) };
      yield { type: 'done', usage: { inputTokens: 10, outputTokens: 5 } };
    },
    completeJson: () => Promise.reject(new Error('unused')),
  };
}

describe('a conversation', () => {
  it('goes on where it was cut when the interruption was only a noise', async () => {
    const { turns } = await callWith(async (end) => {
      await end.wait(1_000);
      // 900 ms of sound without words: long enough to stop the agent.
      await end.say(' '.repeat(15));
      await stayOnTheLine(end);
    });
    const [cut, rest] = turns;
    expect(cut).toMatchObject({ interrupted: true, intendedText: OPENING });
    expect(`${cut?.text} ${rest?.text}`).toBe(OPENING);
    expect(rest).toMatchObject({ interrupted: false, speaker: 'agent' });
  });

  it('is not stopped by a cough, nor by signs of listening', async () => {
    const { turns } = await callWith(async (end) => {
      await end.wait(1_000);
      await end.say(' '.repeat(6));
      await end.wait(300);
      await end.say('uh-huh.');
      await stayOnTheLine(end);
    });
    expect(turns[0]).toMatchObject({ text: 'uh-huh.', speaker: 'human' });
    expect(turns[1]).toMatchObject({ text: OPENING, interrupted: false, seq: 1 });
  });

  it('answers both halves of a sentence in which the person paused', async () => {
    const { lines } = await callWith(async (end) => {
      await end.wait(5_000);
      await end.say('Well, I was wondering,');
      await end.wait(1_500);
      await end.say('who is calling please?');
      await stayOnTheLine(end);
    });
    expect(lines.slice(1, 4)).toEqual([
      'Human: Well, I was wondering,',
      'Human: who is calling please?',
      expect.stringMatching(/^Agent: This is Mia from Alpha Dental\./),
    ]);
  });

  it('says goodbye when the minute is not granted, within the minute', async () => {
    const { result, lines, extensions } = await callWith(
      async (end) => {
        for (;;) {
          await end.ear.listen({ quietMs: 500, patienceMs: 60_000 });
          await end.say('Who is calling please? Could you say that again?');
        }
      },
      { grantedSeconds: 120 },
    );
    expect(extensions).toEqual([120, 180]);
    expect(result).toMatchObject({ endedBy: 'limit', endReason: 'The monthly usage limit was reached.' });
    expect(result.durationMs).toBeGreaterThan(110_000);
    expect(result.durationMs).toBeLessThanOrEqual(120_000);
    expect(lines.at(-1)).toBe(
      "Agent: I'm sorry, I have to end our call here. Thank you for your time. Goodbye.",
    );
  });

  it('ends before its maximum duration, with a goodbye', async () => {
    const { result, lines } = await callWith(
      async (end) => {
        for (;;) {
          await end.ear.listen({ quietMs: 500, patienceMs: 60_000 });
          await end.say('Who is calling please?');
        }
      },
      { plan: { limits: { maxDurationMs: 45_000, silenceMs: 20_000 } } },
    );
    expect(result).toMatchObject({ endedBy: 'limit', endReason: 'The call reached its maximum duration.' });
    expect(result.durationMs).toBeLessThanOrEqual(45_000);
    expect(lines.at(-1)).toMatch(/^Agent: .*goodbye\.$/);
  });

  it('says goodbye and hangs up within seconds when the service stops, even in mid-sentence', async () => {
    const abort = new AbortController();
    let abortedAt = 0;
    let endedAt = 0;
    const { result, turns } = await callWith(
      async (end) => {
        await end.wait(2_000);
        abortedAt = 2_000;
        abort.abort(new Error('stopping'));
        await stayOnTheLine(end);
      },
      { abort },
    );
    endedAt = result.durationMs;
    expect(turns.map((turn) => [turn.interrupted, turn.text])).toEqual([
      [true, expect.stringMatching(/^Hello Anna/)],
      [false, "I'm sorry, I have to end our call now. Goodbye."],
    ]);
    expect(endedAt - abortedAt).toBeLessThan(5_000);
    expect(result.endedBy).toBe('shutdown');
  });

  it('is never connected when the service stops while it rings', async () => {
    const abort = new AbortController();
    abort.abort();
    const { result } = await callWith(stayOnTheLine, { abort });
    expect(result).toMatchObject({ connected: false, neverConnectedReason: 'shutdown' });
  });

  it('hands inbound callers over after the greeting where the setting says so', async () => {
    const { result, lines, events } = await callWith(stayOnTheLine, {
      plan: {
        direction: 'INBOUND',
        hasAutoInboundTransfer: true,
        transferNumber: '+15550142000',
        transferCallerId: 'human',
      },
    });
    expect(result.transferredTo).toBe('+15550142000');
    expect(lines).toEqual([`Agent: ${OPENING}`]);
    expect(events).toContainEqual({
      type: 'transfer',
      data: { to: '+15550142000', callerId: '+15550199900', ok: true },
    });
  });

  it('keeps talking when the automatic transfer fails, and not at all on outbound calls', async () => {
    const settings = { hasAutoInboundTransfer: true, transferNumber: '+15550142008' };
    const failed = await callWith(stayOnTheLine, { plan: { direction: 'INBOUND', ...settings } });
    expect(failed.result).toMatchObject({ transferredTo: null, endedBy: 'limit' });
    expect(failed.lines[1]).toMatch(/^Agent: .*take a message|^Agent: .*message for them/);
    const outbound = await callWith(stayOnTheLine, {
      plan: { direction: 'OUTBOUND', ...settings, transferNumber: '+15550142000' },
    });
    expect(outbound.result.transferredTo).toBeNull();
  });

  it('notices by its words that a machine picked up, and leaves the message', async () => {
    const { result, lines, events } = await callWith(async (end) => {
      await end.say('You have reached the voicemail of Anna. Please leave a message after the tone.');
      await end.wait(500);
      await end.beep();
      await stayOnTheLine(end);
    });
    expect(result).toMatchObject({ answeredBy: 'machine', voicemail: 'message_left', endedBy: 'agent' });
    expect(events.map((event) => event.type)).toContain('machine_detected');
    expect(lines.at(-1)).toMatch(/^Agent: Hello Anna, .* goodbye\.$/);
  });

  it('hears the beep that comes together with the greeting', async () => {
    const inner = createSimulatedLeg({
      reference: 'ref',
      clock: createCallClock(0, manualClock()),
      speech: createSilentSpeech(),
      random: createRandom('ref'),
      onClosed: () => undefined,
      person: stayOnTheLine,
    });
    const events = async function* (): AsyncGenerator<LegEvent> {
      yield { type: 'answered', atMs: 0, by: 'unknown' };
      yield {
        type: 'utterance',
        text: 'Please leave a message after the tone.',
        startedAtMs: 0,
        endedAtMs: 10,
      };
      yield { type: 'beep', atMs: 10 };
      yield* inner.events;
    };
    const result = await runConversation({
      plan: planForTest(),
      leg: { ...inner, events: events() },
      openSpokenLeg: noLiveAudio,
      voices: createSilentSpeech().voices,
      languageModel: undefined,
      searchKnowledge: noKnowledge,
      useWorkspaceTool: noWorkspaceTool,
      sinks: createMemorySinks(),
      clock: systemClock,
      ids: countingIds(),
      log: silentLog,
      signal: new AbortController().signal,
    });
    await readRecording(result);
    expect(result).toMatchObject({ answeredBy: 'machine', voicemail: 'message_left' });
  });

  it.each([
    ['without a beep', 'Please leave a message after the tone.'],
    ['that says nothing', ''],
  ])('leaves no message on a machine %s', async (_, greeting) => {
    const { result, lines } = await callWith(
      async (end) => {
        if (greeting !== '') await end.say(greeting);
        await stayOnTheLine(end);
      },
      { answeredBy: 'machine' },
    );
    expect(result).toMatchObject({ voicemail: 'no_message', endedBy: 'agent' });
    expect(lines.join('')).not.toContain('Agent:');
    expect(result.durationMs).toBeLessThan(15_000);
  });

  it('hears keys that are pressed as one turn, and answers them', async () => {
    const clock = createCallClock(0, manualClock());
    const inner = createSimulatedLeg({
      reference: 'ref',
      clock,
      speech: createSilentSpeech(),
      random: createRandom('ref'),
      onClosed: () => undefined,
      person: async (end) => {
        end.answer('human');
        await end.wait(5_000);
        await end.say(' ');
        await end.wait(20_000);
      },
    });
    const events = async function* (): AsyncGenerator<LegEvent> {
      for await (const event of inner.events) {
        yield event;
        if (event.type !== 'speech_stopped') continue;
        yield { type: 'digit', atMs: event.atMs, digit: '4' };
        yield { type: 'digit', atMs: event.atMs + 300, digit: '2' };
      }
    };
    const heard: string[] = [];
    const sinks = createMemorySinks();
    const result = await runConversation(
      prepareSimulated({
        plan: planForTest(),
        leg: { ...inner, events: events(), sendDigits: async () => undefined },
        openSpokenLeg: noLiveAudio,
        voices: createSilentSpeech().voices,
        languageModel: modelThat((message, tools) => {
          heard.push(`${message} (${tools.includes('press_digits') ? 'can press' : 'cannot press'})`);
          return 'Thank you.';
        }),
        searchKnowledge: noKnowledge,
        useWorkspaceTool: noWorkspaceTool,
        sinks,
        clock: systemClock,
        ids: countingIds(),
        log: silentLog,
        signal: new AbortController().signal,
      }),
    );
    await readRecording(result);
    expect(heard).toEqual(['[pressed 4 2] (can press)']);
    expect(sinks.turns[1]).toMatchObject({ speaker: 'human', text: '[pressed 4 2]', seq: 2 });
    expect((sinks.turns[1]?.endedMs ?? 0) - (sinks.turns[1]?.startedMs ?? 0)).toBe(300);
    expect(sinks.turns[2]).toMatchObject({ speaker: 'agent', text: 'Thank you.' });
  });

  it('counts a message that the machine cut off as left where more than a second of it was recorded', async () => {
    const cutAfter = (ms: number) =>
      callWith(
        async (end) => {
          await end.beep();
          await end.wait(ms);
        },
        { answeredBy: 'machine' },
      );
    const { result, turns } = await cutAfter(2_000);
    expect(result).toMatchObject({
      voicemail: 'message_left',
      endedBy: 'human',
      endReason: 'A message was left on the voicemail, which cut it off.',
    });
    expect(turns[0]?.interrupted).toBe(true);
    expect((await cutAfter(700)).result).toMatchObject({ voicemail: 'no_message', endedBy: 'human' });
  });

  it('reports a voice that it does not have, and speaks with the default one', async () => {
    const used: (string | null)[] = [];
    const silent = createSilentSpeech();
    const speech: SpeechSynthesizer = {
      ...silent,
      synthesize: (request) => {
        used.push(request.voiceId);
        return silent.synthesize(request);
      },
    };
    const unknown = await callWith(async (end) => end.wait(5_000), { plan: { voiceId: 'nobody' }, speech });
    expect(unknown.events).toContainEqual({
      type: 'voice_unknown',
      data: { voiceId: 'nobody', usedVoiceId: 'one' },
    });
    expect(new Set(used)).toEqual(new Set([null]));
    await callWith(async (end) => end.wait(5_000), { plan: { voiceId: 'two' }, speech });
    expect(used.at(-1)).toBe('two');
  });

  it('ends when it cannot speak, without an unhandled failure', async () => {
    const speech: SpeechSynthesizer = {
      ...createSilentSpeech(),
      // oxlint-disable-next-line require-yield
      async *synthesize() {
        throw new Error('no voice');
      },
    };
    const { result, turns } = await callWith(stayOnTheLine, { speech });
    expect(result).toMatchObject({
      connected: true,
      endedBy: 'agent',
      endReason: 'The agent could not go on: its words could not be spoken.',
    });
    expect(turns).toEqual([]);
  });

  it.each(['turn', 'event', 'toolUse'] as const)(
    'hangs up and throws when %s cannot be stored',
    async (sink) => {
      let hungUp = false;
      const failing = callWith(
        async (end) => {
          try {
            for (;;) {
              await end.ear.listen({ quietMs: 500, patienceMs: 60_000 });
              await end.say('Can I talk to a human please?');
            }
          } finally {
            hungUp = true;
          }
        },
        { store: async (what) => (what === sink ? Promise.reject(new Error('database gone')) : undefined) },
      );
      await expect(failing).rejects.toThrow('database gone');
      expect(hungUp).toBe(true);
    },
  );

  it('stops for an interruption at once while a store takes seconds, and loses nothing in the end', async () => {
    const clock = manualClock();
    let stored = 0;
    const calling = callWith(
      async (end) => {
        await end.wait(1_000);
        await end.say('Wait, who is calling please?');
        await end.wait(12_000);
      },
      {
        speed: 1,
        clock,
        store: async () => {
          await clock.sleep(5_000);
          stored += 1;
        },
      },
    );
    let isOver = false;
    void calling.finally(() => (isOver = true));
    // The agent was cut at 2.5 s, and has answered long before the second report is stored at 11 s.
    await clock.advance(9_000);
    expect(stored).toBe(1);
    for (let second = 0; second < 120 && !isOver; second += 1) await clock.advance(1_000);
    const { turns, events, lines } = await calling;
    expect(turns[0]).toMatchObject({ seq: 1, interrupted: true, intendedText: OPENING, startedMs: 0 });
    expect(turns[0]?.endedMs).toBeGreaterThanOrEqual(1_500);
    expect(turns[0]?.endedMs).toBeLessThan(1_600);
    expect(turns.map((turn) => turn.seq)).toEqual([1, 2, 3]);
    expect(lines[1]).toBe('Human: Wait, who is calling please?');
    expect(events.map((event) => event.type)).toEqual(['answered']);
    expect(stored).toBe(4);
  });

  it('says goodbye when it cannot learn whether the next minute is granted', async () => {
    const { result, lines } = await callWith(stayOnTheLine, {
      plan: { limits: { maxDurationMs: 600_000, silenceMs: 200_000 } },
      extendUsage: () => Promise.reject(new Error('database gone')),
    });
    expect(result).toMatchObject({
      endedBy: 'agent',
      endReason: 'The agent could not go on: it was not known whether the call may take longer.',
    });
    expect(result.durationMs).toBeLessThanOrEqual(60_000);
    expect(lines.at(-1)).toMatch(/^Agent: .*technical difficulties.* Goodbye\.$/);
  });

  it('stores what was said until the line died', async () => {
    const clock = manualClock();
    let isOver = false;
    const calling = callWith(
      async (end) => {
        await end.wait(1_000);
        throw new Error('the line is cut');
      },
      { speed: 1, clock, store: () => clock.sleep(5_000) },
    );
    void calling.finally(() => (isOver = true));
    for (let second = 0; second < 120 && !isOver; second += 1) await clock.advance(1_000);
    const { turns, result } = await calling;
    expect(result).toMatchObject({ endedBy: 'carrier', durationMs: 1_000 });
    expect(turns).toMatchObject([{ seq: 1, interrupted: true, endedMs: 1_000 }]);
  });

  it('drops an answer begun too early unheard when the person goes on, and answers all of it', async () => {
    let asked = 0;
    const languageModel = modelThat((said) => {
      asked += 1;
      return `You said: ${said}.`;
    });
    const { lines, result } = await callWith(
      async (end) => {
        await end.wait(5_000);
        await end.say('My name is Anna');
        await end.wait(200);
        await end.say('Smith');
        await end.wait(6_000);
      },
      { languageModel },
    );
    expect(asked).toBe(2);
    expect(lines.filter((line) => line.startsWith('Agent: You said'))).toHaveLength(1);
    expect(lines.at(-1)).toBe('Agent: You said: My name is Anna Smith.');
    // The early one was paid for all the same.
    expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
  });
});
