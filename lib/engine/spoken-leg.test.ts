import { describe, expect, it } from 'vitest';
import { createAsyncQueue } from '#lib/async-queue.ts';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { ControlEvent, LegEvent, MediaLeg } from '#lib/ports/carrier.ts';
import { createFakeMedia } from '#lib/ports/media-testing.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import type { Listen } from './listening/listening.ts';
import { openSpokenLeg } from './spoken-leg.ts';

const tone = (ms: number, level = 8_000) => new Int16Array(ms * 16).fill(level);
const options = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
const deaf: Transcriber = {
  model: 'none',
  open: () => {
    throw new Error('nobody listens in this test');
  },
};
/** 50 ms of sound per character. */
const speech: Pick<SpeechSynthesizer, 'synthesize'> = {
  async *synthesize({ text, onFallback }) {
    if (text.startsWith('Other')) onFallback?.('The first voice failed.');
    yield { samples: tone(text.length * 50) };
  },
};

function open({ transcriber }: { transcriber: Transcriber | undefined } = { transcriber: deaf }) {
  const shown: string[] = [];
  const dropped: string[] = [];
  const clock = createTestCallClock();
  const { media, farEnd } = createFakeMedia(clock);
  const signalling = createAsyncQueue<ControlEvent>();
  const carrierLeg: MediaLeg = {
    reference: 'call_1',
    clock,
    media,
    events: signalling,
    answer: async () => signalling.push({ type: 'answered', atMs: clock.nowMs(), by: 'human' }),
    async hangUp() {
      signalling.push({ type: 'hangup', atMs: clock.nowMs(), by: 'agent' });
      signalling.close();
      farEnd.hangUp();
    },
    transfer: async () => ({ ok: true }),
    show: (caption) =>
      void (caption.type === 'interim' ? shown.push(caption.text) : dropped.push(caption.reason)),
  };
  /** What the listening was told, and its way to tell something. */
  const told: string[] = [];
  let heard: Listen | undefined;
  const leg = openSpokenLeg(carrierLeg, {
    transcriber,
    speech,
    listening: options,
    listen(given) {
      heard = given;
      given.media.onFrame((frame) => {
        if (frame[0] !== 0) told.push('sound');
      });
      return {
        agentSaid: (text) => told.push(`said ${text}`),
        agentSpeaking: (isSpeaking) => told.push(isSpeaking ? 'speaking' : 'silent'),
        close: () => told.push('closed'),
      };
    },
  });
  const events: LegEvent[] = [];
  const reading = (async () => {
    for await (const event of leg.events) events.push(event);
  })();
  const say = (text: string) => leg.speak({ text, voiceId: null, language: null });
  return { clock, farEnd, signalling, leg, told, events, reading, say, shown, dropped, hear: () => heard };
}

describe('a spoken leg over sound', () => {
  it('listens from the answer on, and merges both kinds of events in their order', async () => {
    const { clock, farEnd, signalling, leg, events, hear, told } = open();
    signalling.push({ type: 'ringing', atMs: 0 });
    farEnd.say(tone(40));
    await clock.pass(100);
    expect(hear()).toBeUndefined();
    await leg.answer();
    await clock.pass(20);
    farEnd.say(tone(20));
    hear()?.onEvent({ type: 'speech_started', atMs: 130 });
    signalling.push({ type: 'digit', atMs: 140, digit: '5' });
    await clock.pass(60);
    hear()?.onEvent({ type: 'speech_stopped', atMs: 150 });
    await clock.pass(20);
    expect(events.map(({ type }) => type)).toEqual([
      'ringing',
      'answered',
      'speech_started',
      'digit',
      'speech_stopped',
    ]);
    expect(told).toEqual(['sound']);
  });

  it('tells the listening what the agent said, and while it is audible', async () => {
    const { clock, leg, told, say } = open();
    await leg.answer();
    await clock.pass(20);
    say('Hi there.');
    say('Well?');
    await clock.pass(2_000);
    expect(told).toEqual(['speaking', 'said Hi there.', 'said Well?', 'silent']);
    say('Cut short.');
    await clock.pass(250);
    leg.stopSpeaking();
    await clock.pass(200);
    // Its echo may still be on the way.
    expect(told.slice(4)).toEqual(['speaking', 'said Cut short.']);
    await clock.pass(200);
    expect(told.at(-1)).toBe('silent');
  });

  it('records both sides in step, from the answer on, only what was played', async () => {
    const { clock, farEnd, leg, say } = open();
    const recorded = { agent: new Int16Array(16 * 4_000), human: new Int16Array(16 * 4_000) };
    leg.record((side, samples, atMs) => recorded[side].set(samples, Math.round(atMs * 16)));
    farEnd.say(tone(100, 1));
    await clock.pass(200);
    await leg.answer();
    await clock.pass(20);
    say('Twenty characters...');
    await clock.pass(100);
    farEnd.say(tone(300, 7_000));
    await clock.pass(300);
    leg.stopSpeaking();
    await clock.pass(400);
    await leg.hangUp();
    await clock.pass(20);
    const span = (samples: Int16Array) =>
      [samples.findIndex((sample) => sample !== 0), samples.findLastIndex((sample) => sample !== 0) + 1].map(
        (index) => index / 16,
      );
    const [agentFrom = 0, agentTo = 0] = span(recorded.agent);
    const [heardFrom = 0, heardTo = 0] = span(farEnd.heard());
    expect(Math.abs(agentFrom - heardFrom)).toBeLessThanOrEqual(20);
    expect(Math.abs(agentTo - heardTo)).toBeLessThanOrEqual(20);
    const [humanFrom = 0, humanTo = 0] = span(recorded.human);
    expect(humanTo - humanFrom).toBe(300);
    expect(Math.abs(humanFrom - 320)).toBeLessThanOrEqual(20);
  });

  it('takes typed words for a whole turn, and recognised ones for what is being said', async () => {
    const { clock, signalling, leg, events } = open();
    await leg.answer();
    await clock.pass(20);
    signalling.push({ type: 'text', atMs: 100, text: 'Hello?', state: 'typed' });
    signalling.push({ type: 'text', atMs: 200, text: 'when', state: 'interim' });
    signalling.push({ type: 'text', atMs: 300, text: 'when do you', state: 'interim' });
    signalling.push({ type: 'text', atMs: 400, text: 'when do you open', state: 'recognized' });
    await clock.pass(20);
    expect(events.slice(1)).toEqual([
      { type: 'utterance', text: 'Hello?', startedAtMs: 100, endedAtMs: 100, endOfTurnMs: 0 },
      { type: 'speech_started', atMs: 200 },
      { type: 'interim', atMs: 200, text: 'when' },
      { type: 'interim', atMs: 300, text: 'when do you' },
      { type: 'speech_stopped', atMs: 400 },
      { type: 'utterance', text: 'when do you open', startedAtMs: 200, endedAtMs: 400, endOfTurnMs: 150 },
    ]);
  });

  it('drops keys and words that come faster than a call takes them, says so, and hangs up on who goes on', async () => {
    const { clock, signalling, leg, events, dropped } = open();
    await leg.answer();
    await clock.pass(20);
    const flood = (count: number) => {
      for (let key = 0; key < count; key += 1) signalling.push({ type: 'digit', atMs: 20, digit: '1' });
    };
    flood(50);
    await clock.pass(20);
    const kinds = () => events.map(({ type }) => type);
    expect(kinds().filter((type) => type === 'digit')).toHaveLength(40);
    expect(kinds().filter((type) => type === 'input_dropped')).toHaveLength(1);
    expect(dropped).toHaveLength(1);
    flood(200);
    await clock.pass(20);
    expect(events.at(-1)).toMatchObject({ type: 'hangup', by: 'agent' });
  });

  it('shows what is understood at a far end with a screen', async () => {
    const { clock, leg, hear, shown } = open();
    await leg.answer();
    await clock.pass(20);
    hear()?.onEvent({ type: 'interim', atMs: 10, text: 'I would' });
    expect(shown).toEqual(['I would']);
  });

  it('does not pretend to listen where nothing would be understood', async () => {
    const { clock, leg, hear } = open({ transcriber: undefined });
    await leg.answer();
    await clock.pass(20);
    expect(hear()).toBeUndefined();
  });

  it('tells when another voice speaks', async () => {
    const { clock, leg, events, say } = open();
    await leg.answer();
    say('Other.');
    await clock.pass(500);
    expect(events).toContainEqual({
      type: 'voice_replaced',
      atMs: expect.any(Number),
      reason: 'The first voice failed.',
    });
  });

  it('ends everything with the leg', async () => {
    const { clock, leg, told, say, reading, events } = open();
    await leg.answer();
    await clock.pass(20);
    const speaking = say('Nobody hears all of this.');
    await clock.pass(400);
    await leg.hangUp();
    await clock.pass(20);
    await reading;
    expect((await speaking.finished).heard).toBe('Nobody');
    expect(told).toContain('closed');
    expect(events.at(-1)?.type).toBe('hangup');
  });
});
