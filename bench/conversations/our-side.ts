/** Our side of the bench: calls of the engine over sound, their models mocked, in this one process. */
import { readFileSync } from 'node:fs';
import { createAsyncQueue } from '#lib/async-queue.ts';
import { systemClock, monotonicClock } from '#lib/adapters/system/clock.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { listen } from '#lib/engine/listening/listening.ts';
import { openSpokenLeg } from '#lib/engine/spoken-leg.ts';
import { runConversation } from '#lib/engine/run-conversation.ts';
import {
  createMemorySinks,
  noKnowledge,
  noWorkspaceTool,
  planForTest,
  silentLog,
} from '#lib/engine/testing.ts';
import { createMediaOutput } from '#lib/media/media-output.ts';
import { createPacer } from '#lib/media/pacer.ts';
import type { ControlEvent, MediaLeg } from '#lib/ports/carrier.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { type Caller, createFarEnd } from './far-end.ts';
import { readOptions, runSide } from './measured.ts';
import { ANSWER, OPENING, readSounds, type SoundsIndex } from './script.ts';

const options = readOptions();
const sounds = readSounds(
  readFileSync(options.sounds),
  JSON.parse(readFileSync(`${options.sounds}.json`, 'utf8')) as SoundsIndex,
);
const pacer = createPacer({ clock: monotonicClock, onFailed: console.error });
const farEnd = createFarEnd({ sounds, pacer, nowMs: monotonicClock.nowMs, isIdle: options.isIdle });
/** Long enough that no call ends while it is measured. */
const NEVER_MS = 6 * 60 * 60_000;

const speech: SpeechSynthesizer = {
  voices: [{ id: 'one', label: 'One', language: 'en-US' }],
  async *synthesize({ text }) {
    const samples = (sounds.agent.find((saying) => saying.text === text) ?? sounds.agent[0])?.samples;
    if (!samples) return;
    for (let at = 0; at < samples.length; at += 3_200) yield { samples: samples.subarray(at, at + 3_200) };
  },
};

const languageModel: LanguageModel = {
  model: 'mock',
  async *respond() {
    yield { type: 'text', delta: ANSWER.join(' ') };
    yield { type: 'done', usage: { inputTokens: 100, outputTokens: 20 } };
  },
  completeJson: () => Promise.reject(new Error('nothing is analysed here')),
};

function mockTranscriber(caller: Caller): Transcriber {
  return {
    model: 'mock',
    open: () => ({
      begin: () => ({
        write: () => undefined,
        transcribe: async () => ({ text: caller.words() }),
        end: () => undefined,
      }),
    }),
  };
}

function openLeg(caller: Caller, index: number): MediaLeg {
  const events = createAsyncQueue<ControlEvent>();
  const output = createMediaOutput({ pacer, clock: monotonicClock, send: caller.hear });
  let stop = () => {};
  events.push({ type: 'answered', atMs: monotonicClock.nowMs(), by: 'human' });
  return {
    reference: `bench-${index}`,
    clock: monotonicClock,
    events,
    media: {
      onFrame(listener) {
        stop = caller.start(listener);
      },
      write: output.write,
      clear: output.clear,
      mark: output.mark,
      playedMs: output.playedMs,
    },
    answer: async () => undefined,
    async hangUp() {
      stop();
      output.end();
      events.close();
    },
    transfer: async () => ({ ok: false, reason: 'nobody is there' }),
  };
}

await runSide(options, farEnd, async (index) => {
  const caller = farEnd.createCaller(index);
  const transcriber = mockTranscriber(caller);
  void runConversation({
    plan: planForTest({
      callId: `cnv_${index}`,
      prompt: { opening: OPENING },
      limits: { maxDurationMs: NEVER_MS, silenceMs: NEVER_MS },
    }),
    leg: openLeg(caller, index),
    openSpokenLeg: (leg, listening) => openSpokenLeg(leg, { transcriber, speech, listening, listen }),
    voices: speech.voices,
    languageModel,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    sinks: createMemorySinks(),
    clock: systemClock,
    ids: systemIds,
    log: silentLog,
    signal: new AbortController().signal,
  });
});
