/** @module-tag phones */
import { afterAll, beforeAll, it, type TestContext } from 'vitest';
import { holdConversation } from '#bench/voice/conversation.ts';
import { measureRecording } from '#bench/voice/measure.ts';
import { openRealLine, openSoftphone } from '#lib/adapters/carriers/sip/peers/peers-testing.ts';
import { openTestTwilio } from '#lib/adapters/carriers/twilio/testing.ts';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { startRealtimeServer } from '#lib/adapters/models/openai/realtime-testing.ts';
import { monotonicClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { createConversations, openModels } from '#lib/conversation-runtime.ts';
import { planForTest, silentLog } from '#lib/engine/testing.ts';
import { parseEnv } from '#lib/env.ts';
import { levelDb } from '#lib/media/level.ts';
import { resample } from '#lib/media/resample.ts';
import { joined, silence } from '#lib/media/testing.ts';
import type { Carriers } from '#lib/ports/carrier.ts';

/*
 * A model that hears and speaks has a call at a telephone, in real time: baresip over SIP, and the double of Twilio. The
 * model is the double of the Realtime API.
 */
const OPENING = 'Hello, this is Mia from Alpha Dental.';
const QUESTION = 'I would like to make an appointment for next Tuesday.';
const LONG =
  'We are open from eight to six on Monday. On Tuesday we open at nine. On Wednesday we are closed all day. On Thursday we are open until eight in the evening.';
const OVER = 'Please stop I only want to know about Friday.';
const ANSWER = 'Please press the number of the day.';
const GOODBYE = 'Friday it is. Goodbye.';
const TELEPHONE_HZ = 8_000;

let agent: Record<string, Int16Array>;
let track: Int16Array;
const flite = createFliteSpeech();
beforeAll(async () => {
  agent = await sayForTest([OPENING, LONG, ANSWER, 'Friday it is.', 'Goodbye.', GOODBYE], 'slt');
  const person: Record<string, Int16Array> = await sayForTest([QUESTION, OVER], 'rms');
  const word = (text: string) => person[text] ?? silence(0);
  // The opening, a question, two and a half seconds of its answer, and words over it.
  track = joined(
    silence(1_500 + (agent[OPENING]?.length ?? 0) / 16),
    word(QUESTION),
    silence(3_200),
    word(OVER),
    silence(60_000),
  );
});
afterAll(() => flite.close());

/** Takes what is to be closed after a test. */
type Closing = TestContext['onTestFinished'];

const lengthMs = (text: string) => (agent[text]?.length ?? 0) / 16;

/** A telephone that calls in, speaks `track` from the answer on, and keeps what it hears. */
type Telephone = {
  carriers: Carriers;
  /** The call as its carrier names it. */
  reference: string;
  press(key: string): void;
  isOver(): boolean;
  /** At 8 kHz. */
  heard(): Promise<Int16Array> | Int16Array;
};

async function overSip(closing: Closing): Promise<Telephone> {
  const rings = Promise.withResolvers<string>();
  const line = await openRealLine({
    rtpFrom: 26_000,
    async take({ reference }) {
      rings.resolve(reference);
      return { ok: true, callId: reference };
    },
  });
  closing(() => line.carrier.close());
  const phone = await openSoftphone({
    says: resample(track, { fromHz: 16_000, toHz: TELEPHONE_HZ }),
    rtpFrom: 26_200,
  });
  let kept: Promise<Int16Array> | undefined;
  const close = () => (kept ??= phone.close());
  closing(async () => void (await close()));
  phone.command(`/dial sip:+15550100001@127.0.0.1:${line.port}`);
  return {
    carriers: { sip: { kind: 'sip', ...line.carrier } },
    reference: await rings.promise,
    press: phone.command,
    isOver: () => /terminated|session closed/i.test(phone.output()),
    heard: close,
  };
}

async function overTwilio(closing: Closing): Promise<Telephone> {
  const line = await openTestTwilio();
  closing(() => line.close());
  const { call } = await line.double.ring(line.voiceUrl, { from: '+15550107777', to: '+15550100001' });
  let person: typeof call.stream;
  const watch = setInterval(() => {
    if (!call.stream || person) return;
    person = call.stream;
    person.say(track);
  }, 5);
  closing(() => clearInterval(watch));
  return {
    carriers: { twilio: line.carrier },
    reference: call.sid,
    press: (key) => person?.press(key),
    isOver: () => call.status === 'completed',
    heard: () => person?.heard() ?? new Int16Array(0),
  };
}

/** Stretches of sound of at least 60 ms with pauses under `gapMs` inside, in ms. */
function soundsOf(samples: Int16Array, rateHz: number, gapMs = 600): { fromMs: number; toMs: number }[] {
  const step = rateHz / 100;
  const found: { fromMs: number; toMs: number }[] = [];
  for (let at = 0; at + step <= samples.length; at += step) {
    if (levelDb(samples.subarray(at, at + step)) < -45) continue;
    const fromMs = (at / rateHz) * 1_000;
    const last = found.at(-1);
    if (last && fromMs - last.toMs <= gapMs) last.toMs = fromMs + 10;
    else found.push({ fromMs, toMs: fromMs + 10 });
  }
  return found.filter(({ fromMs, toMs }) => toMs - fromMs > 60);
}

async function openModel(closing: Closing) {
  const server = await startRealtimeServer();
  closing(() => server.close());
  const { state } = server;
  const said = [QUESTION, OVER];
  state.voice = (text) => agent[text] ?? agent[ANSWER] ?? silence(0);
  state.hears = (words) => (words === '' ? '' : (said.shift() ?? 'Hm.'));
  state.answers = [
    { text: LONG },
    { text: ANSWER },
    { text: GOODBYE, tool: { name: 'end_call', arguments: { reason: 'all was said' } } },
  ];
  return server;
}

it.concurrent.for([
  ['SIP', 'sip', overSip],
  ['Twilio', 'twilio', overTwilio],
] as const)(
  'a realtime model greets, answers, is interrupted, hears of keys and hangs up, in µ-law both ways, over %s',
  { timeout: 60_000 },
  async ([, carrier, ring], { expect, onTestFinished }) => {
    const model = await openModel(onTestFinished);
    const env = parseEnv({
      OPENAI_BASE_URL: model.baseUrl,
      REALTIME_MODEL: 'gpt-realtime',
      SPEECH_MODEL: 'local',
    });
    const telephone = await ring(onTestFinished);
    const conversations = createConversations({
      ...openModels(env, silentLog, { ...flite, close: async () => undefined }),
      carriers: telephone.carriers,
      ids: systemIds,
      log: silentLog,
    });
    const { reference } = telephone;
    const plan = planForTest({ callId: 'cnv_phone', direction: 'INBOUND', prompt: { opening: OPENING } });
    const { sinks, ended } = await holdConversation(conversations, { plan, carrier, reference });
    const said = () => sinks.turns.filter(({ speaker }) => speaker === 'agent').map(({ text }) => text);
    await expect.poll(said, { timeout: 30_000, interval: 50 }).toContain(ANSWER);
    // As people do: a moment after they were asked.
    await monotonicClock.sleep(700);
    telephone.press('5');
    telephone.press('#');
    const { wav, endReason } = await ended;
    await expect.poll(telephone.isOver, { timeout: 5_000 }).toBe(true);
    const heard = soundsOf(await telephone.heard(), TELEPHONE_HZ);

    const lines = sinks.turns.map(({ speaker, text }) => `${speaker}: ${text}`);
    const [, , cut] = sinks.turns;
    expect(lines).toEqual([
      `agent: ${OPENING}`,
      `human: ${QUESTION}`,
      `agent: ${cut?.text}`,
      `human: ${OVER}`,
      `agent: ${ANSWER}`,
      'human: [pressed 5 #]',
      `agent: ${GOODBYE}`,
    ]);
    expect(endReason).toBe('The agent ended the call: all was said.');

    // A telephone's sound goes through as the telephone speaks it.
    const { audio } = model.state.sessions[0] as { audio: Record<string, { format: unknown }> };
    expect([audio.input?.format, audio.output?.format]).toEqual([
      { type: 'audio/pcmu' },
      { type: 'audio/pcmu' },
    ]);
    expect(model.state.errors).toEqual([]);
    expect(JSON.stringify(model.state.items)).toContain('[pressed 5 #]');

    // What was heard of the long answer, by the telephone, by the transcript, and by what the model was told.
    const told = model.state.events.find(({ type }) => type === 'conversation.item.truncate');
    const cutMs = (cut?.endedMs ?? 0) - (cut?.startedMs ?? 0);
    const [, atPhone] = heard;
    expect(cut?.interrupted).toBe(true);
    expect(LONG.startsWith(cut?.text ?? '?')).toBe(true);
    expect(cutMs).toBeGreaterThan(2_000);
    expect(Math.abs(Number(told?.audio_end_ms) - cutMs)).toBeLessThan(300);
    expect(Math.abs((atPhone?.toMs ?? 0) - (atPhone?.fromMs ?? 0) - cutMs)).toBeLessThan(300);
    const afterwards = heard.slice(2).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    expect(afterwards).toBeGreaterThan(lengthMs(ANSWER) + lengthMs(GOODBYE) - 400);

    const { stepsMs, agentLufs } = measureRecording(wav, sinks.turns);
    expect(stepsMs.filter((stepMs) => Math.abs(stepMs) > 50)).toEqual([]);
    expect(Math.abs((agentLufs ?? 0) + 18)).toBeLessThan(1.5);
    await conversations.close();
  },
);
