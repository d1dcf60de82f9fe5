import type { VoiceChange } from '#lib/media/voice-activity/detector.ts';
import {
  createSoundShape,
  estimateWordStarts,
  type SoundShape,
  wordStartsOf,
} from '#lib/media/word-times.ts';
import type { SpeechEvent } from '#lib/ports/carrier.ts';
import { createGatheredSamples } from '#lib/media/samples.ts';
import { FRAME_SAMPLES } from '#lib/ports/media.ts';
import type { TranscriptionStream } from '#lib/ports/transcription.ts';
import type { EchoGuard } from './echo.ts';
import { createTranscribing, type Heard, type Transcribing } from './transcribing.ts';
import type { TurnEnd } from './turn-end.ts';

/** Silence after which the words are asked for; whoever goes on afterwards is asked about again, as a whole. */
const PAUSE_MS = 200;
/** Who speaks for so long without a pause is taken at the next breath, so that a stretch keeps a useful length. */
const LONG_STRETCH_MS = 45_000;
const BREATH_MS = 60;
/** What came before speech was noticed: the first sound of a word is quiet. */
const PRE_ROLL_MS = 240;
/** Frames kept for it; it takes up to half a second until a faint beginning is noticed. */
const FRAMES_KEPT = 40;
/** Words are handed on when the turn is over but for so long: the answer may be begun on them. */
const LEAD_MS = 120;
/** Silence of this length after one's own words makes people ask whether anybody is there. */
const LATE_MS = 1_200;

/** Lent, as it came. */
export type Frame = { samples: Int16Array; atMs: number };

type Stretch = {
  transcribing: Transcribing;
  write(frame: Frame): void;
  /** Of all that was written, and when its first frame was. */
  shape: SoundShape;
  writtenFromMs: number | undefined;
  startedAtMs: number;
  endedAtMs: number;
  levelDb: number;
  /** It began while the agent was audible. */
  isOverAgent: boolean;
  /** It is a pause: `gap` has the sound since then, for when the person goes on. */
  isPaused: boolean;
  /** It was said of this pause that its words are late. */
  isLate: boolean;
};

export type Stretches = {
  /** Each frame, before it is looked at. */
  keep(frame: Frame): void;
  /** Speech began or ended in the frame that was kept last. */
  change(change: VoiceChange): void;
  /** Each frame, after it was looked at; `nowMs` is its end. */
  tick(nowMs: number): void;
  /** How long a silence has to be to count as a pause now. */
  pauseMs(): number;
  hasHeardSpeech(): boolean;
  /** The agent answers: a silence before it is no pause of the person. */
  forgetPause(): void;
  close(): void;
};

type Options = {
  transcription: TranscriptionStream;
  /** Told with its failures. */
  model: string;
  echo: EchoGuard;
  turnEnd: TurnEnd;
  emit(event: SpeechEvent): void;
  nowMs(): number;
  /** Something sounds like speech, though it is not certain yet. */
  isSpeechLikely(): boolean;
};

/**
 * Makes stretches of speech of its beginnings and ends, and utterances of stretches. A stretch's words are asked for at
 * its first pause; who goes on takes the question back, and the pause becomes part of the stretch.
 */
export function createStretches(options: Options): Stretches {
  const { model, echo, turnEnd, emit } = options;
  const recent = createRecentSound();
  const gap = createGatheredSamples();
  let current: Stretch | undefined;
  let hasHeardSpeech = false;
  let lastEndMs: number | undefined;

  function begin({ atMs, levelDb }: VoiceChange): void {
    learnPause(lastEndMs, atMs);
    const speech = options.transcription.begin((text) => {
      if (current === stretch) emit({ type: 'interim', atMs: options.nowMs(), text });
    });
    const stretch: Stretch = {
      transcribing: createTranscribing({
        stretch: speech,
        model,
        nowMs: options.nowMs,
        onHeard: () => hand(stretch),
        onRetry: (failure) => emit({ type: 'transcription_retried', atMs: options.nowMs(), ...failure }),
      }),
      write(frame) {
        speech.write(frame.samples);
        stretch.shape.add(frame.samples);
        stretch.writtenFromMs ??= frame.atMs;
      },
      shape: createSoundShape(),
      writtenFromMs: undefined,
      startedAtMs: atMs,
      endedAtMs: atMs,
      levelDb,
      isOverAgent: echo.isAgentSpeaking(),
      isPaused: false,
      isLate: false,
    };
    current = stretch;
    recent.since(atMs - PRE_ROLL_MS, stretch.write);
  }

  function goOn(stretch: Stretch, atMs: number): void {
    learnPause(stretch.endedAtMs, atMs);
    stretch.transcribing.dropAsked();
    stretch.write({ samples: gap.all(), atMs });
    stretch.isPaused = false;
  }

  function pause(stretch: Stretch, { atMs, levelDb }: VoiceChange): void {
    stretch.isPaused = true;
    gap.clear();
    stretch.isLate = false;
    stretch.endedAtMs = atMs;
    stretch.levelDb = levelDb;
    stretch.transcribing.ask(options.nowMs());
  }

  /** Hands the words on, where they are there and the turn is nearly over; now or at a later frame. */
  function hand(stretch: Stretch, nowMs = options.nowMs()): void {
    const heard = stretch.transcribing.heard();
    if (!heard || current !== stretch || options.isSpeechLikely()) return;
    const remainingMs = remaining(stretch, heard, nowMs);
    if (remainingMs > LEAD_MS) return;
    current = undefined;
    stretch.transcribing.end();
    const { startedAtMs, endedAtMs } = stretch;
    if (!heard.ok) {
      const { reason, kind } = heard;
      emit({ type: 'transcription_failed', startedAtMs, endedAtMs, model: heard.model, kind, reason });
      return;
    }
    const text = wordsOf(stretch, heard);
    if (text !== '') {
      echo.learn(stretch.levelDb);
      lastEndMs = endedAtMs;
    }
    emit({
      type: 'utterance',
      text,
      startedAtMs,
      endedAtMs,
      wordStartsMs: wordStarts(stretch, text, heard),
      endOfTurnMs: Math.max(0, remainingMs),
    });
  }

  function remaining(stretch: Stretch, heard: Heard, nowMs: number): number {
    if (!heard.ok || wordsOf(stretch, heard) === '') return 0;
    const { text, language } = heard.transcription;
    return Math.round(turnEnd.waitMs(text, language) - (nowMs - stretch.endedAtMs));
  }

  function wordsOf(stretch: Stretch, heard: Heard & { ok: true }): string {
    const text = heard.transcription.text.trim();
    return stretch.isOverAgent && echo.isEcho(text) ? '' : text;
  }

  /** Told once of a pause, so that somebody says something meanwhile. */
  function noteLate(stretch: Stretch, nowMs: number): void {
    const isWaiting = stretch.isPaused && !stretch.transcribing.heard();
    if (!isWaiting || stretch.isLate || nowMs - stretch.endedAtMs < LATE_MS) return;
    stretch.isLate = true;
    emit({ type: 'transcription_late', atMs: nowMs });
  }

  function learnPause(fromMs: number | undefined, toMs: number): void {
    lastEndMs = undefined;
    if (fromMs !== undefined) turnEnd.wentOnAfter(toMs - fromMs);
  }

  return {
    keep(frame) {
      recent.keep(frame);
      if (current?.isPaused) gap.add(frame.samples);
      else current?.write(frame);
    },
    change(change) {
      hasHeardSpeech = true;
      if (change.type === 'started') {
        emit({ type: 'speech_started', atMs: change.atMs });
        if (current) goOn(current, change.atMs);
        else begin(change);
      } else {
        emit({ type: 'speech_stopped', atMs: change.atMs });
        if (current) pause(current, change);
      }
    },
    tick(nowMs) {
      if (!current) return;
      current.transcribing.tick(nowMs);
      if (current) noteLate(current, nowMs);
      if (current) hand(current, nowMs);
    },
    pauseMs() {
      const isLong = current !== undefined && options.nowMs() - current.startedAtMs > LONG_STRETCH_MS;
      return isLong ? BREATH_MS : PAUSE_MS;
    },
    hasHeardSpeech: () => hasHeardSpeech,
    forgetPause() {
      lastEndMs = undefined;
    },
    close() {
      current?.transcribing.end();
      current = undefined;
    },
  };
}

/** As the provider tells it, else as it sounds; counted from the beginning of the speech. */
function wordStarts(stretch: Stretch, text: string, { transcription }: Heard & { ok: true }): number[] {
  const { shape, startedAtMs, writtenFromMs = startedAtMs } = stretch;
  const inSound = wordStartsOf(text, transcription.words ?? []) ?? estimateWordStarts(text, shape);
  return inSound.map((startMs) => Math.max(0, Math.round(writtenFromMs + startMs - startedAtMs)));
}

/** The last frames, copied into one piece of memory: nothing is allocated for a frame. */
function createRecentSound() {
  const samples = new Int16Array(FRAMES_KEPT * FRAME_SAMPLES);
  const startsAtMs = new Float64Array(FRAMES_KEPT).fill(Number.NEGATIVE_INFINITY);
  let next = 0;
  return {
    keep(frame: Frame): void {
      samples.set(frame.samples, next * FRAME_SAMPLES);
      startsAtMs[next] = frame.atMs;
      next = (next + 1) % FRAMES_KEPT;
    },
    /** Gives the frames that began at `fromMs` or later, the earliest first. */
    since(fromMs: number, take: (frame: Frame) => void): void {
      for (let count = 0; count < FRAMES_KEPT; count += 1) {
        const place = (next + count) % FRAMES_KEPT;
        const atMs = startsAtMs[place] ?? Number.NEGATIVE_INFINITY;
        if (atMs < fromMs) continue;
        take({ samples: samples.subarray(place * FRAME_SAMPLES, (place + 1) * FRAME_SAMPLES), atMs });
      }
    },
  };
}
