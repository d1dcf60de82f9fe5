/**
 * Callers for either side of the bench: each hears the opening, says a sentence, waits for the answer, says the next. All of
 * them live on one timer. Times are of the frames: a caller's frame ends when it is due, however late the process is.
 */
import { seededRandom } from '#lib/media/testing.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import type { Pacer } from '#lib/media/pacer.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';
import { INTERRUPTS_EACH, type Saying, type Sounds } from './script.ts';

/** A sample that is louder sounds; lines are never quite silent. */
const AUDIBLE = 150;
const LOST_AFTER_MS = 5_000;
/** After so much silence the agent has said all. Longer than any pause between its sentences. */
const AGENT_IS_DONE_MS = 600;
const INTERRUPTS_AFTER_MS = 900;
/** An agent that is audible so long after an interruption began talks over it. */
const TALKS_OVER_MS = 1_600;

/** One frame for all callers: what is heard is lent, as a carrier lends it. */
const lent = new Int16Array(FRAME_SAMPLES);

export type Caller = {
  /** The call is up; from now on frames come, each lent. */
  start(onFrame: (frame: Int16Array, atMs: number) => void): () => void;
  /** Each frame that the agent sends, at the moment at which it leaves. */
  hear(frame: Int16Array): void;
  /** What was said last, or is being said: what a perfect transcription knows. */
  words(): string;
  /** How many sentences are over. */
  sentencesOver(): number;
};

export type FarEndMeasures = {
  turns: { sentence: string; delayMs: number }[];
  lost: number;
  silentAfterMs: number[];
  talkedOver: number;
};

type Options = {
  sounds: Sounds;
  pacer: Pacer;
  nowMs(): number;
  /** Never says a word: what an idle call costs. */
  isIdle: boolean;
};

/** Makes callers that share one list of measures; `reset` begins to measure. */
export function createFarEnd(options: Options) {
  const measures: FarEndMeasures = { turns: [], lost: 0, silentAfterMs: [], talkedOver: 0 };
  const background = lineNoise();
  return {
    measures,
    reset: () => Object.assign(measures, { turns: [], lost: 0, silentAfterMs: [], talkedOver: 0 }),
    createCaller: (index: number) => createCaller(index, { ...options, measures, background }),
  };
}

type State =
  | { name: 'listening'; nextMs: number }
  | { name: 'saying'; what: Saying; at: number; interrupting: boolean }
  | { name: 'waiting'; sentence: string; sinceMs: number };

function createCaller(
  index: number,
  {
    sounds,
    pacer,
    nowMs,
    isIdle,
    measures,
    background,
  }: Options & { measures: FarEndMeasures; background: Int16Array[] },
): Caller {
  const random = seededRandom(index + 1);
  let state: State = { name: 'listening', nextMs: Number.POSITIVE_INFINITY };
  let said = index;
  let over = 0;
  let words = '';
  let isSounding = false;
  let soundedFromMs = 0;
  let soundedUntilMs = Number.NEGATIVE_INFINITY;
  let willInterrupt = false;
  let interruption: { fromMs: number } | undefined;
  let noiseAt = Math.floor(random() * background.length);

  function begin(what: Saying, interrupting: boolean): State {
    words = what.text;
    return { name: 'saying', what, at: 0, interrupting };
  }

  function nextSentence(): Saying {
    said += 1;
    return sounds.caller[said % sounds.caller.length] ?? sounds.interruption;
  }

  /** What the caller does next, at a frame that ends now. */
  function advance(endMs: number): void {
    if (isIdle) return;
    if (isSounding && endMs - soundedUntilMs > AGENT_IS_DONE_MS) {
      isSounding = false;
      if (state.name === 'listening') state.nextMs = endMs + 300 + random() * 700;
    }
    if (state.name === 'waiting' && endMs - state.sinceMs > LOST_AFTER_MS) {
      measures.lost += 1;
      state = { name: 'listening', nextMs: endMs + 500 };
    }
    if (state.name !== 'listening') return;
    if (willInterrupt && isSounding && endMs - soundedFromMs > INTERRUPTS_AFTER_MS) {
      willInterrupt = false;
      interruption = { fromMs: endMs };
      state = begin(sounds.interruption, true);
    } else if (!isSounding && endMs >= state.nextMs) state = begin(nextSentence(), false);
  }

  function frame(endMs: number): Int16Array {
    noiseAt = (noiseAt + 1) % background.length;
    const samples = lent;
    samples.set(background[noiseAt] ?? SILENT_FRAME);
    if (state.name !== 'saying') return samples;
    const { what } = state;
    const count = Math.min(FRAME_SAMPLES, what.samples.length - state.at);
    for (let at = 0; at < count; at += 1)
      samples[at] = (samples[at] ?? 0) + (what.samples[state.at + at] ?? 0);
    state.at += FRAME_SAMPLES;
    if (state.at >= what.samples.length)
      endSentence(what, endMs - FRAME_MS + (count / FRAME_SAMPLES) * FRAME_MS);
    return samples;
  }

  function endSentence({ text }: Saying, atMs: number): void {
    over += 1;
    willInterrupt = over % INTERRUPTS_EACH === 1;
    if (interruption) {
      const lastedMs = soundedUntilMs - interruption.fromMs;
      if (lastedMs > TALKS_OVER_MS) measures.talkedOver += 1;
      else if (lastedMs > 0) measures.silentAfterMs.push(lastedMs);
      interruption = undefined;
      isSounding = false;
    }
    state = { name: 'waiting', sentence: text, sinceMs: atMs };
  }

  return {
    words: () => words,
    sentencesOver: () => over,
    start(onFrame) {
      return pacer.start((dueMs) => {
        advance(dueMs);
        onFrame(frame(dueMs), dueMs - FRAME_MS);
      });
    },
    hear(samples) {
      if (samples === SILENT_FRAME || !isAudible(samples)) return;
      const atMs = nowMs();
      soundedUntilMs = atMs + FRAME_MS;
      if (state.name === 'saying' && !state.interrupting) return;
      if (!isSounding) soundedFromMs = atMs;
      isSounding = true;
      if (state.name !== 'waiting') return;
      measures.turns.push({ sentence: state.sentence, delayMs: atMs - state.sinceMs });
      state = { name: 'listening', nextMs: Number.POSITIVE_INFINITY };
    },
  };
}

function isAudible(frame: Int16Array): boolean {
  for (let at = 0; at < frame.length; at += 16) {
    const sample = frame[at] ?? 0;
    if (sample > AUDIBLE || sample < -AUDIBLE) return true;
  }
  return false;
}

/** Ten seconds of a quiet line, about −66 dB, in frames. */
function lineNoise(): Int16Array[] {
  const random = seededRandom(7);
  return Array.from({ length: 500 }, () => new Int16Array(FRAME_SAMPLES).map(() => (random() * 2 - 1) * 28));
}
