import { createSpeechRate, truncateAtPlayout } from '#lib/media/heard-text.ts';
import { levelDb } from '#lib/media/level.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_SAMPLES, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { MadeSpeech, SpeechChunk } from '#lib/ports/speech.ts';

/** So far ahead of its playing is sound handed on: enough for a bad network, and little that cannot be taken back. */
const AHEAD_MS = 1_500;
const CHUNK_MS = 200;
/** A pause between two phrases, where speech can end without hurting the ear. */
const PAUSE_MS = 120;
const SILENT_DB = -45;
/** What is said of sound whose words nobody told. */
const NO_WORDS = '[not transcribed]';

/** Speech that comes in while it is heard. */
export type SpeechInTheMaking = {
  readonly speech: MadeSpeech;
  addWords(delta: string): void;
  addSound(samples: Int16Array): void;
  /** Nothing more comes. */
  end(): void;
  /**
   * Ends it at a pause, after `notBeforeMs` where there is one: of what was not handed on yet, the rest is never said. Gives
   * the words that are left.
   */
  endAtPause(options?: { notBeforeMs?: number }): string;
  lengthMs(): number;
  /** Of its sound, until it was stopped last. */
  heardMs(): number;
  /** The words that were heard of it. */
  heardWords(): string;
};

/** A model's speech on its way to the mouth, with its words as they become known. */
export function createSpeechInTheMaking(clock: CallClock): SpeechInTheMaking {
  const rate = createSpeechRate();
  const whole = Promise.withResolvers<void>();
  const sound = createGrowingSound();
  let words = '';
  let isWhole = false;
  let handedOnMs = 0;
  let heardMs = 0;
  let heard: string[] = [];
  let changed = Promise.withResolvers<void>();

  const lengthMs = () => sound.length() / SAMPLES_PER_MS;

  function notify(): void {
    changed.resolve();
    changed = Promise.withResolvers();
  }

  function end(): void {
    if (isWhole) return;
    isWhole = true;
    if (words.trim() === '') words = NO_WORDS;
    whole.resolve();
    notify();
  }

  async function* play(fromMs: number, signal: AbortSignal): AsyncGenerator<SpeechChunk> {
    const beganMs = clock.nowMs();
    for (let atMs = fromMs; ;) {
      const aheadMs = atMs - fromMs - (clock.nowMs() - beganMs);
      if (aheadMs > AHEAD_MS) await clock.sleep(aheadMs - AHEAD_MS, signal);
      signal.throwIfAborted();
      const toMs = Math.min(lengthMs(), atMs + CHUNK_MS);
      if (toMs > atMs) {
        const samples = sound.slice(Math.round(atMs * SAMPLES_PER_MS), Math.round(toMs * SAMPLES_PER_MS));
        handedOnMs = Math.max(handedOnMs, toMs);
        atMs = toMs;
        yield { samples };
      } else if (isWhole) return;
      else await changed.promise;
    }
  }

  function view(fromMs: number, fromCharacter: number): MadeSpeech {
    const text = () => words.slice(fromCharacter).trim();
    return {
      text,
      whole: whole.promise,
      sound: (signal) => play(fromMs, signal),
      stop({ text: heardText, ms }) {
        heardMs = Math.max(heardMs, Math.min(fromMs + ms, lengthMs()));
        if (heardText !== '') heard.push(heardText);
        const isAllHeard = isWhole && (heardMs >= lengthMs() - 1 || text() === heardText);
        if (isAllHeard) return undefined;
        const at = heardText === '' ? -1 : words.indexOf(heardText, fromCharacter);
        return view(fromMs + ms, at === -1 ? fromCharacter : at + heardText.length);
      },
    };
  }

  return {
    speech: view(0, 0),
    addWords(delta) {
      words += delta;
    },
    addSound(samples) {
      if (isWhole || samples.length === 0) return;
      sound.add(samples);
      notify();
    },
    end,
    endAtPause({ notBeforeMs = 0 } = {}) {
      if (isWhole) return words;
      const totalMs = Math.max(lengthMs(), rate.estimateMs(words));
      const earliestMs = Math.max(handedOnMs, notBeforeMs);
      const cutMs = findPause(sound.all(), earliestMs, notBeforeMs > 0) ?? lengthMs();
      sound.shorten(Math.round(cutMs * SAMPLES_PER_MS));
      words = truncateAtPlayout(words.trimEnd(), cutMs, totalMs).heard;
      end();
      return words;
    },
    lengthMs,
    heardMs: () => heardMs,
    heardWords: () => heard.join(' '),
  };
}

/** Samples that are added to, without copying all of them each time. */
function createGrowingSound() {
  let samples = new Int16Array(16_000);
  let count = 0;
  return {
    length: () => count,
    all: () => samples.subarray(0, count),
    slice: (from: number, to: number) => samples.slice(from, Math.min(to, count)),
    add(more: Int16Array): void {
      if (count + more.length > samples.length) {
        const larger = new Int16Array(2 * (count + more.length));
        larger.set(samples.subarray(0, count));
        samples = larger;
      }
      samples.set(more, count);
      count += more.length;
    },
    shorten(to: number): void {
      count = Math.min(count, to);
    },
  };
}

/** Where the first or the last pause after `fromMs` begins; undefined where there is none. */
function findPause(samples: Int16Array, fromMs: number, isFirst: boolean): number | undefined {
  const frameMs = FRAME_SAMPLES / SAMPLES_PER_MS;
  let found: number | undefined;
  let silentMs = 0;
  for (let at = Math.ceil((fromMs * SAMPLES_PER_MS) / FRAME_SAMPLES) * FRAME_SAMPLES; ; at += FRAME_SAMPLES) {
    const frame = samples.subarray(at, at + FRAME_SAMPLES);
    if (frame.length < FRAME_SAMPLES) return found;
    silentMs = levelDb(frame) < SILENT_DB ? silentMs + frameMs : 0;
    if (silentMs < PAUSE_MS) continue;
    found = at / SAMPLES_PER_MS + frameMs - silentMs + PAUSE_MS / 2;
    if (isFirst) return found;
  }
}
