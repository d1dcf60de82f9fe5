import { AppError } from '#lib/errors.ts';
import { levelDb } from '#lib/media/level.ts';
import { atLevel, joined, silence } from '#lib/media/testing.ts';
import { createTestCallClock, type TestCallClock } from '#lib/ports/call-clock-testing.ts';
import type { SpokenLeg } from '#lib/ports/carrier.ts';
import { FRAME_SAMPLES, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { createFakeMediaLeg, type FakeLegEnd } from '#lib/ports/media-leg-testing.ts';
import type { ProviderFailureKind } from '#lib/ports/provider-failure.ts';
import type { SpeechSynthesizer, SynthesisRequest } from '#lib/ports/speech.ts';
import { countingIds, manualClock } from '#lib/ports/testing.ts';
import type { Transcriber, Transcription } from '#lib/ports/transcription.ts';
import type { ConversationResult } from '../plan.ts';
import { runConversation } from '../run-conversation.ts';
import { listen } from '../listening/listening.ts';
import { openSpokenLeg } from '../spoken-leg.ts';
import { type ModelAnswer, scriptedModel } from './scripted-model.ts';
import { createRealtimeNotes, type RealtimeNotes, scriptedRealtime } from './scripted-realtime.ts';
import {
  createMemorySinks,
  type MemorySinks,
  noKnowledge,
  noWorkspaceTool,
  planForTest,
  readRecording,
  silentLog,
} from '../testing.ts';

/** Long enough that the person's shortest turn is over, and the answer to it has begun. */
const MOST_WAITED_MS = 30_000;
const AFTER_SPEECH_MS = 60;
const PERSON_DB = -22;

/** Real speech of some lengths: the words of the script are told to the transcription beside it. */
const SPEECH_TEXTS = [
  'Yes.',
  'No, wait.',
  'I need an appointment.',
  'I would like to make an appointment for next Tuesday.',
] as const;
const AGENT_TEXT =
  'We are open from eight to six, from Monday to Friday, and on the first Saturday of each month we open at nine.';

let sounds: { person: Int16Array[]; agent: Int16Array } | undefined;

/** Makes the speech of all scenes of a file, with a real voice; called in `beforeAll`. */
export async function prepareVoices(
  say: (texts: readonly string[], voiceId: string) => Promise<Record<string, Int16Array>>,
): Promise<void> {
  const [person, agent] = await Promise.all([say(SPEECH_TEXTS, 'slt'), say([AGENT_TEXT], 'rms')]);
  sounds = { person: Object.values(person), agent: agent[AGENT_TEXT] ?? silence(0) };
}

/** Speech about as long as `text` takes to say. */
export function speechLike(text: string, db = PERSON_DB): Int16Array {
  const wanted = text.length * 60 * SAMPLES_PER_MS;
  const person = sounds?.person ?? [];
  const closest = person.reduce((best, sound) =>
    Math.abs(sound.length - wanted) < Math.abs(best.length - wanted) ? sound : best,
  );
  return atLevel(closest, db);
}

export type Understanding = {
  afterMs?: number;
  text?: string;
  fails?: boolean | ProviderFailureKind;
  hangs?: boolean;
};
export type Voice = { afterMs?: number; fails?: boolean; hangs?: boolean; stallsMs?: number };

export type SceneOptions = {
  plan?: Parameters<typeof planForTest>[0];
  /** The n-th answer of the model (from 0) to what it heard. Left out: "I see." */
  model?: (heard: string, turn: number) => ModelAnswer;
  fallbackModel?: (heard: string, turn: number) => ModelAnswer;
  /** How the n-th question to the transcription is answered. Left out: with the words, after 120 ms. */
  understands?: (question: number, text: string) => Understanding;
  /** The same of another model, which is asked where the first one does not answer. */
  otherUnderstands?: (question: number, text: string) => Understanding;
  /** Nothing turns speech into words. */
  hasNoTranscription?: boolean;
  /** How the agent's voice makes the n-th text. Left out: at once. */
  voice?: (count: number, text: string) => Voice;
  /** A model that hears and speaks has the call: its n-th answer to what it heard. */
  realtime?: (heard: string, turn: number) => ModelAnswer;
  /** How that model says a fixed line. Left out: to the letter, at once. */
  recites?: (line: string) => ModelAnswer;
  /** The far end is a telephone. */
  isTelephone?: boolean;
  /** Nobody answers where that model fails. */
  isAlone?: boolean;
  answeredBy?: 'human' | 'machine' | 'unknown';
  transfer?: () => Promise<{ ok: true } | { ok: false; reason: string }>;
  sinks?: Parameters<typeof createMemorySinks>[0];
};

export type Said = {
  text: string;
  startedAtMs: number | undefined;
  heard: string | undefined;
  endedAtMs: number;
};

export type Scene = {
  clock: TestCallClock;
  farEnd: FakeLegEnd;
  sinks: MemorySinks;
  /** Everything that was handed to the agent's mouth, in order. */
  said: Said[];
  /** What the model was asked: the person's last words. */
  asked: string[];
  /** What the model that hears and speaks was told. */
  realtime: RealtimeNotes;
  shutDown: AbortController;
  wait(ms: number): Promise<void>;
  /** The person says `text`, and it is over when this resolves. */
  says(text: string, options?: { db?: number }): Promise<void>;
  /** The person begins to say it; time does not pass. Gives how long it takes. */
  begins(text: string, options?: { db?: number }): number;
  /** A sound without words; time does not pass. */
  sounds(samples: Int16Array): void;
  /** Until the agent is heard saying something that matches. */
  agentSays(what: string | RegExp): Promise<void>;
  /** Until the agent has finished what it says. */
  agentIsDone(): Promise<void>;
  agentIsSpeaking(): boolean;
  /** Lines as `agent: …` and `human: …`. */
  lines(): string[];
  /** Until the call is over; gives its result and both channels of its recording. */
  over(): Promise<ConversationResult & { agentSound: Int16Array; humanSound: Int16Array }>;
  /** Events of the call's history of one type. */
  history(type: string): Record<string, unknown>[];
};

type Words = { text: string; endMs: number };

/** A call over sound, from the answer on: real voice activity, everything else by script, on a virtual clock. */
export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const stage = openStage(options);
  const { clock, farEnd, sinks, said, words } = stage;
  let speakingUntilMs = 0;
  /** How much of what the agent said a test has waited for. */
  let told = 0;

  const begins: Scene['begins'] = (text, { db } = {}) => {
    const sound = speechLike(text, db);
    const lastsMs = sound.length / SAMPLES_PER_MS;
    speakingUntilMs = Math.max(speakingUntilMs, clock.nowMs()) + lastsMs;
    words.push({ text, endMs: speakingUntilMs });
    farEnd.say(sound);
    return lastsMs;
  };

  await clock.pass(100);
  farEnd.answer(options.answeredBy ?? 'human');
  await clock.pass(20);
  return {
    ...stage,
    wait: clock.pass,
    begins,
    says: (text, how) => clock.pass(begins(text, how)),
    sounds: farEnd.say,
    async agentSays(what) {
      const isIt = ({ text, startedAtMs }: Said, index: number) =>
        index >= told &&
        startedAtMs !== undefined &&
        (typeof what === 'string' ? text.includes(what) : what.test(text));
      await clock.passUntil(`the agent says ${what}`, () => said.some(isIt), MOST_WAITED_MS);
      told = said.findIndex(isIt) + 1;
    },
    async agentIsDone() {
      const isDone = () => said.every(({ heard }) => heard !== undefined);
      do {
        await clock.passUntil('the agent is done', isDone, MOST_WAITED_MS);
        // Its turn is stored now, or the next sentence comes.
        await clock.pass(AFTER_SPEECH_MS);
      } while (!isDone());
    },
    agentIsSpeaking: () =>
      said.some(({ startedAtMs, heard }) => startedAtMs !== undefined && heard === undefined),
    lines: () => sinks.turns.map(({ speaker, text }) => `${speaker}: ${text}`),
    async over() {
      await clock.passUntil('the call is over', farEnd.isOver, 120_000);
      await clock.pass(1_000);
      const ended = await stage.running;
      return { ...ended, ...splitChannels(await readRecording(ended)) };
    },
    history: (type) => sinks.events.filter((event) => event.type === type).map(({ data }) => data),
  };
}

/** The engine with everything around it, waiting for the answer. */
function openStage(options: SceneOptions) {
  const clock = createTestCallClock();
  const { leg, farEnd } = createFakeMediaLeg(clock, options.transfer ? { transfer: options.transfer } : {});
  const sinks = createMemorySinks(options.sinks);
  const said: Said[] = [];
  const words: Words[] = [];
  const asked: string[] = [];
  const shutDown = new AbortController();
  const speech = scriptedVoice(clock, options.voice);
  const transcriber = scriptedTranscriber({ ...options, clock, words });
  const realtime = createRealtimeNotes();
  const { realtime: answer, recites = (line) => line } = options;
  const firstModel = scriptedModel({
    clock,
    asked,
    name: 'first',
    answer: options.model ?? (() => 'I see.'),
  });
  const running = runConversation({
    plan: planForTest(options.plan),
    leg: { ...leg, media: { ...leg.media, isTelephone: options.isTelephone === true } },
    openSpokenLeg: (mediaLeg, listening, call) =>
      noteSpeech(
        openSpokenLeg(mediaLeg, {
          transcriber: call ? call.hear(transcriber) : transcriber,
          speech: call ? call.speak(speech) : speech,
          listening,
          listen,
        }),
        said,
      ),
    realtime: answer &&
      transcriber && {
        model: scriptedRealtime({ clock, transcriber, notes: realtime, soundOf, answer, recites }),
        kept: new Map(),
      },
    voices: [{ id: 'one', label: 'One', language: 'en-US' }],
    languageModel: options.isAlone ? undefined : firstModel,
    fallbackModel: options.fallbackModel
      ? scriptedModel({ clock, asked, name: 'second', answer: options.fallbackModel })
      : undefined,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    sinks,
    clock: manualClock(),
    ids: countingIds(),
    log: silentLog,
    signal: shutDown.signal,
  });
  // What fails is thrown where the test waits for the end.
  running.catch(() => undefined);
  return { clock, farEnd, sinks, said, words, asked, realtime, shutDown, running };
}

/** Left and right of a stereo WAV. */
function splitChannels(wav: Buffer | undefined) {
  const samples = wav
    ? new Int16Array(wav.buffer.slice(wav.byteOffset + 44, wav.byteOffset + wav.length))
    : new Int16Array(0);
  const channel = (offset: number) => {
    const side = new Int16Array(samples.length >> 1);
    for (let index = 0; index < side.length; index += 1) side[index] = samples[index * 2 + offset] ?? 0;
    return side;
  };
  return { agentSound: channel(0), humanSound: channel(1) };
}

/** Stretches in which something is heard, of at least `leastMs` and with less than `gapMs` between two of their frames. */
export function soundingMs(samples: Int16Array, { gapMs = 100, leastDb = -50 } = {}): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    if (levelDb(samples.subarray(at, at + FRAME_SAMPLES)) < leastDb) continue;
    const fromMs = at / SAMPLES_PER_MS;
    const last = found.at(-1);
    if (last && fromMs - last[1] <= gapMs) last[1] = fromMs + 20;
    else found.push([fromMs, fromMs + 20]);
  }
  return found;
}

function noteSpeech(leg: SpokenLeg, said: Said[]): SpokenLeg {
  return {
    ...leg,
    speak(request) {
      const speaking = leg.speak(request);
      const note: Said = { text: request.text, startedAtMs: undefined, heard: undefined, endedAtMs: 0 };
      said.push(note);
      const { made } = request;
      if (made) Object.defineProperty(note, 'text', { get: made.text });
      void speaking.started.then((atMs) => (note.startedAtMs = atMs));
      speaking.finished.then(
        ({ heard, endedAtMs }) => Object.assign(note, { heard, endedAtMs }),
        () => Object.assign(note, { heard: '' }),
      );
      return speaking;
    },
  };
}

/** Real speech of the agent, 50 ms for each character. */
function soundOf(text: string): Int16Array {
  const one = sounds?.agent ?? silence(100);
  const length = text.length * 50 * SAMPLES_PER_MS;
  return joined(...Array.from({ length: Math.ceil(length / one.length) }, () => one)).subarray(0, length);
}

/** Real speech, in pieces of 200 ms. */
function scriptedVoice(
  clock: TestCallClock,
  voice: SceneOptions['voice'],
): Pick<SpeechSynthesizer, 'synthesize'> {
  let count = 0;
  return {
    async *synthesize({ text, signal }: SynthesisRequest) {
      const { afterMs = 0, fails, hangs, stallsMs } = voice?.(count++, text) ?? {};
      if (hangs) await clock.sleep(10 * 60_000, signal);
      if (afterMs > 0) await clock.sleep(afterMs, signal);
      if (fails) throw new AppError('PROVIDER_FAILED', 'The voice is not there.');
      const whole = soundOf(text);
      for (let at = 0; at < whole.length; at += 3_200) {
        if (at > 0 && stallsMs) await clock.sleep(stallsMs, signal);
        yield { samples: whole.subarray(at, at + 3_200) };
      }
    },
  };
}

/** Knows the words that were said while a stretch was heard. */
function scriptedTranscriber(
  options: SceneOptions & { clock: TestCallClock; words: Words[] },
): Transcriber | undefined {
  const { clock, words, understands, otherUnderstands } = options;
  if (options.hasNoTranscription) return undefined;

  function answering(manner: SceneOptions['understands']) {
    let question = 0;
    return async (beganAtMs: number, signal: AbortSignal): Promise<Transcription> => {
      const heard = words.filter(({ endMs }) => endMs > beganAtMs - 400 && endMs <= clock.nowMs());
      const text = heard.map((word) => word.text).join(' ');
      const answer = manner?.(question++, text) ?? {};
      if (answer.hangs) await clock.sleep(10 * 60_000, signal);
      await clock.sleep(answer.afterMs ?? 120, signal);
      if (answer.fails)
        throw new AppError('PROVIDER_FAILED', 'The transcription server is not reachable.', {
          details: { kind: answer.fails === true ? 'no_connection' : answer.fails },
        });
      return { text: answer.text ?? text };
    };
  }

  const first = answering(understands);
  const other = answering(otherUnderstands);
  function begin() {
    const beganAtMs = clock.nowMs();
    const asking = (answer: typeof first) => (signal: AbortSignal) => answer(beganAtMs, signal);
    return {
      write: () => undefined,
      transcribe: asking(first),
      ...(otherUnderstands && { other: { model: 'other', transcribe: asking(other) } }),
      end: () => undefined,
    };
  }
  return { model: 'scripted', open: () => ({ begin }) };
}
