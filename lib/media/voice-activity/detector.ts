import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { levelDb } from '../level.ts';
import { WINDOW_SAMPLES } from './network.ts';
import { createVoiceScorer } from './scorer.ts';

export const WINDOW_MS = WINDOW_SAMPLES / SAMPLES_PER_MS;
/** From here on a window counts for speech; voices are above 0.9, other sounds of a call below 0.2 (0165). */
const SPEECH = 0.4;
/** Windows in a row add up: two that are sure, more where they are not. Music that begins suddenly reaches 1.2. */
const EVIDENCE_TO_START = 1.3;
/** Once there is speech, what is less sure still belongs to it: the end of a word is quiet. */
const STILL_SPEECH = 0.3;
const INAUDIBLE_DB = -96;

export type VoiceChange =
  /** Speech began; `levelDb` is how loud it begins. */
  | { type: 'started'; atMs: number; levelDb: number }
  /** There was no speech for `pauseMs`. `atMs` is when it ended; `levelDb` how loud the loudest of it was. */
  | { type: 'stopped'; atMs: number; levelDb: number };

export type VoiceDetector = {
  /** Takes the next samples, any number of them, of which the first came at `atMs`. */
  push(samples: Int16Array, atMs: number): void;
  isSpeech(): boolean;
  /** The last window sounded like speech, though it is not certain yet. */
  isBeginning(): boolean;
};

export type VoiceDetectorOptions = {
  onChange(change: VoiceChange): void;
  /**
   * Gets each window (512 samples, 32 ms) near a sound that is louder than the noise, to look for other sounds; `mayBeTone`
   * is what a quick look says.
   */
  onLoudWindow?(window: Int16Array, atMs: number, mayBeTone: boolean): void;
  /** How long there must be no speech before it has stopped. Asked each time. */
  pauseMs(): number;
  /** How loud speech has to be to count, in dB below full scale. Asked at each beginning. */
  leastDb(): number;
};

type Window = { score: number; levelDb: number; atMs: number };

/** Finds where somebody speaks on one stream (mono, 16 kHz). */
export function createVoiceDetector(options: VoiceDetectorOptions): VoiceDetector {
  const scorer = createVoiceScorer();
  const speech = createSpeechSwitch(options);
  const samplesOfWindow = new Int16Array(WINDOW_SAMPLES);
  let filled = 0;

  function judge(atMs: number): void {
    const level = levelDb(samplesOfWindow);
    const score = scorer.score(samplesOfWindow, level);
    if (scorer.isOpen()) options.onLoudWindow?.(samplesOfWindow, atMs, scorer.mayBeTone());
    speech.take({ score, levelDb: level, atMs });
    if (speech.isOn()) scorer.keepOpen();
  }

  return {
    push(samples, atMs) {
      let taken = 0;
      while (taken < samples.length) {
        const count = Math.min(samples.length - taken, WINDOW_SAMPLES - filled);
        // A view of each frame for `set` would cost more than the copy.
        for (let index = 0; index < count; index += 1)
          samplesOfWindow[filled + index] = samples[taken + index] ?? 0;
        filled += count;
        taken += count;
        if (filled < WINDOW_SAMPLES) return;
        filled = 0;
        judge(atMs + taken / SAMPLES_PER_MS - WINDOW_MS);
      }
    },
    isSpeech: speech.isOn,
    isBeginning: speech.isBeginning,
  };
}

/** Speech is on or off, by the scores of windows one after the other. */
function createSpeechSwitch({ onChange, pauseMs, leastDb }: VoiceDetectorOptions) {
  let isOn = false;
  let inARow = 0;
  let evidence = 0;
  let quietMs = 0;
  let loudestDb = INAUDIBLE_DB;
  let endedAtMs = 0;

  function begin({ score, levelDb: level, atMs }: Window): void {
    const counts = score >= SPEECH;
    inARow = counts ? inARow + 1 : 0;
    evidence = counts ? evidence + score : 0;
    loudestDb = counts ? Math.max(loudestDb, level) : INAUDIBLE_DB;
    if (evidence < EVIDENCE_TO_START || loudestDb < leastDb()) return;
    isOn = true;
    quietMs = 0;
    endedAtMs = atMs + WINDOW_MS;
    onChange({ type: 'started', atMs: atMs - (inARow - 1) * WINDOW_MS, levelDb: loudestDb });
  }

  function goOn({ score, levelDb: level, atMs }: Window): void {
    if (score >= STILL_SPEECH) {
      quietMs = 0;
      loudestDb = Math.max(loudestDb, level);
      endedAtMs = atMs + WINDOW_MS;
      return;
    }
    quietMs += WINDOW_MS;
    if (quietMs < pauseMs()) return;
    isOn = false;
    evidence = 0;
    inARow = 0;
    onChange({ type: 'stopped', atMs: endedAtMs, levelDb: loudestDb });
    loudestDb = INAUDIBLE_DB;
  }

  return {
    take: (window: Window) => (isOn ? goOn(window) : begin(window)),
    isOn: () => isOn,
    isBeginning: () => !isOn && evidence > 0,
  };
}
