import { createAsyncQueue } from '#lib/async-queue.ts';
import { AppError } from '#lib/errors.ts';
import type { SpeakRequest, Speaking } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_SAMPLES, type MediaStream, SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechChunk, SpeechSynthesizer, SpokenWord } from '#lib/ports/speech.ts';
import { createSoftEdges } from '#lib/media/fade.ts';
import { createSpeechRate, truncateAtPlayout, truncateAtWord } from '#lib/media/heard-text.ts';
import {
  createSoundShape,
  estimateWordStarts,
  shapeUntil,
  type SoundShape,
  wordStartsOf,
} from '#lib/media/word-times.ts';
import { createLeadingSilence, trailingSilence } from '#lib/media/silence.ts';

/** Sentences in, sound out: what the agent says on one call. */
export type Mouth = {
  speak(request: SpeakRequest): Speaking;
  stopSpeaking(): void;
  /** Plays a sound after what is said; resolves when it was played (true), or was dropped. */
  play(samples: Int16Array): Promise<boolean>;
  /** Drops all that is being played while nothing is said. */
  stopPlaying(): void;
};

/** So many texts may be in the making: the one that is heard and two ahead. */
const MOST_IN_THE_MAKING = 3;
/** A voice that leaves the person in silence for so long has failed. */
const MOST_SILENT_MS = 6_000;
/** How long it is silent after a text, by its last character; what the voice itself is silent for counts. */
const PAUSE_MS = { sentence: 220, clause: 120, other: 40 };

/** One for all: an error for each piece of speech would be made with its stack. */
const IN_TIME = new Error('It came in time');

type Utterance = {
  request: SpeakRequest;
  abort: AbortController;
  pieces: ReturnType<typeof createAsyncQueue<Int16Array>>;
  words: SpokenWord[];
  /** Of the silence in front of it, by which the word times are late. */
  cutMs: number;
  failure: { error: unknown } | undefined;
  isBegun: boolean;
  isWritten: boolean;
  isSettled: boolean;
  /** Where it lies in all that was written to the leg. */
  startMs: number | undefined;
  writtenMs: number;
  /** Of what was written of it. */
  shape: SoundShape;
  startedAtMs: number | undefined;
  started: PromiseWithResolvers<number | undefined>;
  finished: PromiseWithResolvers<Awaited<Speaking['finished']>>;
};

/**
 * Speaks over the outgoing half of a media stream; nobody else writes to it. Speech is played as it comes, one text
 * after the other with a pause between them. What was heard of a text that is cut is counted at the far end.
 */
export function createMouth(options: {
  media: Pick<MediaStream, 'write' | 'clear' | 'mark' | 'playedMs'>;
  clock: Pick<CallClock, 'nowMs' | 'sleep'>;
  speech: Pick<SpeechSynthesizer, 'synthesize'>;
  /** Another voice speaks than was asked for. */
  onFallback?(reason: string): void;
}): Mouth {
  const { media, clock, speech, onFallback } = options;
  const rate = createSpeechRate();
  /** What was asked for and is neither heard nor cut, in order. */
  let utterances: Utterance[] = [];
  let isFeeding = false;
  /** All that was written to the leg and not dropped. */
  let writtenMs = 0;
  /** How long the last thing that was written is silent at its end. */
  let silentMs = 0;
  let pauseMs = 0;

  function write(samples: Int16Array): void {
    media.write(samples);
    writtenMs += samples.length / SAMPLES_PER_MS;
    const trailing = trailingSilence(samples);
    silentMs = trailing / SAMPLES_PER_MS + (trailing === samples.length ? silentMs : 0);
  }

  /** Begins the texts whose turn to be made has come, and writes what is made in order. */
  function advance(): void {
    for (const utterance of utterances.slice(0, MOST_IN_THE_MAKING)) {
      if (utterance.isBegun) continue;
      utterance.isBegun = true;
      void make(utterance);
    }
    if (!isFeeding) {
      isFeeding = true;
      void feed();
    }
  }

  async function make(utterance: Utterance): Promise<void> {
    const { request, abort, pieces } = utterance;
    const silence = createLeadingSilence();
    const edges = createSoftEdges();
    const give = (samples: Int16Array) => {
      if (samples.length > 0) pieces.push(samples);
    };
    const take = (chunk: SpeechChunk) => {
      if (chunk.words) utterance.words.push(...chunk.words);
      give(edges.push(silence.trim(chunk.samples)));
      utterance.cutMs = silence.cutMs();
    };
    const neededInMs = () => silentInMs(utterance);
    try {
      const { made, ...asked } = request;
      const chunks =
        made?.sound(abort.signal) ??
        speech.synthesize({
          ...asked,
          signal: abort.signal,
          neededInMs,
          ...(onFallback ? { onFallback } : {}),
        });
      for await (const chunk of inTime(chunks, utterance)) take(chunk);
    } catch (error) {
      utterance.failure = { error };
    }
    give(edges.end());
    pieces.close();
  }

  /** Fails where nothing comes for seconds of silence: a voice that hangs must not hang the call. */
  async function* inTime(
    chunks: AsyncIterable<SpeechChunk>,
    utterance: Utterance,
  ): AsyncGenerator<SpeechChunk> {
    const iterator = chunks[Symbol.asyncIterator]();
    for (;;) {
      const step = iterator.next();
      // Nobody may be waiting for it any more when it fails.
      step.catch(() => undefined);
      while (!(await isThereWithin(silentInMs(utterance) + MOST_SILENT_MS, step))) {
        if (silentInMs(utterance) > 0) continue;
        utterance.abort.abort(new Error('The voice hangs'));
        throw new AppError(
          'PROVIDER_FAILED',
          `The voice gave no sound for ${MOST_SILENT_MS / 1_000} seconds`,
        );
      }
      const { done, value } = await step;
      if (done) return;
      yield value;
    }
  }

  async function isThereWithin(ms: number, work: Promise<unknown>): Promise<boolean> {
    const timer = new AbortController();
    const isThere = () => true;
    const late = clock.sleep(ms, timer.signal).then(
      () => false,
      () => false,
    );
    const first = await Promise.race([work.then(isThere, isThere), late]);
    timer.abort(IN_TIME);
    return first;
  }

  /** How long it takes until nothing is left to play but this text. */
  function silentInMs(utterance: Utterance): number {
    const before = utterances.slice(0, Math.max(0, utterances.indexOf(utterance)));
    const unmadeMs = before
      .filter((earlier) => !earlier.isWritten)
      .reduce(
        (total, { request, writtenMs: made }) => total + Math.max(0, rate.estimateMs(textOf(request)) - made),
        0,
      );
    return Math.max(0, writtenMs - media.playedMs()) + unmadeMs;
  }

  async function feed(): Promise<void> {
    for (;;) {
      const utterance = utterances.find((next) => !next.isWritten);
      if (!utterance) break;
      for await (const samples of utterance.pieces) {
        if (utterance.isSettled) break;
        writePiece(utterance, samples);
      }
      if (!utterance.isSettled) endWriting(utterance);
    }
    isFeeding = false;
  }

  function writePiece(utterance: Utterance, samples: Int16Array): void {
    utterance.shape.add(samples);
    if (utterance.startMs !== undefined) {
      utterance.writtenMs += samples.length / SAMPLES_PER_MS;
      return write(samples);
    }
    const isSilentBefore = media.playedMs() >= writtenMs;
    const missingMs = isSilentBefore ? 0 : Math.max(0, pauseMs - silentMs);
    if (missingMs > 0) write(new Int16Array(Math.round(missingMs) * SAMPLES_PER_MS));
    const startMs = writtenMs;
    utterance.startMs = startMs;
    utterance.writtenMs = samples.length / SAMPLES_PER_MS;
    // A mark after its first frame tells when it began.
    write(samples.subarray(0, FRAME_SAMPLES));
    const mark = media.mark();
    if (samples.length > FRAME_SAMPLES) write(samples.subarray(FRAME_SAMPLES));
    void mark.then((wasPlayed) => {
      if (utterance.isSettled) return;
      if (!wasPlayed) return cut();
      utterance.startedAtMs ??= clock.nowMs() - (media.playedMs() - startMs);
      utterance.started.resolve(utterance.startedAtMs);
    });
  }

  function endWriting(utterance: Utterance): void {
    utterance.isWritten = true;
    if (utterance.failure) {
      settle(utterance);
      utterance.started.resolve(undefined);
      utterance.finished.reject(utterance.failure.error);
      return advance();
    }
    const text = textOf(utterance.request);
    pauseMs = /[.!?…。！？]["')\]»”]*$/.test(text)
      ? PAUSE_MS.sentence
      : /[,;:、，]$/.test(text)
        ? PAUSE_MS.clause
        : PAUSE_MS.other;
    rate.learn(text, utterance.writtenMs);
    void media.mark().then((wasPlayed) => {
      if (utterance.isSettled) return;
      if (wasPlayed) finish(utterance);
      else cut();
    });
  }

  function finish(utterance: Utterance): void {
    const { startMs = writtenMs, writtenMs: heardMs } = utterance;
    const endedAtMs = clock.nowMs() - Math.max(0, media.playedMs() - startMs - heardMs);
    report(utterance, { heard: textOf(utterance.request), unheard: '', heardMs, endedAtMs });
    advance();
  }

  /** The leg ended or everything was dropped: settles all with what was heard of it. */
  function cut(): void {
    const playedMs = media.playedMs();
    const cutShort = utterances;
    utterances = [];
    for (const utterance of cutShort) {
      utterance.abort.abort(new Error('The agent was cut short'));
      utterance.pieces.close();
      const { startMs = playedMs } = utterance;
      const heardMs = Math.max(0, Math.min(utterance.writtenMs, playedMs - startMs));
      report(utterance, { ...splitAt(utterance, heardMs), heardMs, endedAtMs: clock.nowMs() });
    }
  }

  function splitAt(utterance: Utterance, heardMs: number): { heard: string; unheard: string } {
    const text = textOf(utterance.request);
    if (utterance.words.length > 0) return truncateAtWord(text, utterance.words, heardMs + utterance.cutMs);
    const totalMs = utterance.isWritten
      ? utterance.writtenMs
      : Math.max(utterance.writtenMs, rate.estimateMs(text));
    return truncateAtPlayout(text, heardMs, totalMs);
  }

  function report(
    utterance: Utterance,
    end: { heard: string; unheard: string; heardMs: number; endedAtMs: number },
  ): void {
    settle(utterance);
    if (end.heardMs > 0) utterance.startedAtMs ??= end.endedAtMs - end.heardMs;
    utterance.started.resolve(utterance.startedAtMs);
    const startedAtMs = utterance.startedAtMs ?? end.endedAtMs;
    const rest = utterance.request.made?.stop({ text: end.heard, ms: end.heardMs + utterance.cutMs });
    utterance.finished.resolve({
      ...end,
      startedAtMs,
      wordStartsMs: wordStarts(utterance, end),
      ...(rest ? { rest } : {}),
    });
  }

  function settle(utterance: Utterance): void {
    utterance.isSettled = true;
    utterances = utterances.filter((other) => other !== utterance);
  }

  return {
    speak(request) {
      const utterance: Utterance = {
        request,
        abort: new AbortController(),
        pieces: createAsyncQueue(),
        words: [],
        cutMs: 0,
        failure: undefined,
        isBegun: false,
        isWritten: false,
        isSettled: false,
        startMs: undefined,
        writtenMs: 0,
        shape: createSoundShape(),
        startedAtMs: undefined,
        started: Promise.withResolvers(),
        finished: Promise.withResolvers(),
      };
      // Neither has to be awaited.
      utterance.finished.promise.catch(() => undefined);
      utterances.push(utterance);
      advance();
      return { started: utterance.started.promise, finished: utterance.finished.promise };
    },
    play(samples) {
      write(samples);
      return media.mark();
    },
    stopPlaying() {
      writtenMs = media.clear();
      silentMs = 0;
      pauseMs = 0;
    },
    stopSpeaking() {
      if (utterances.length === 0) return;
      writtenMs = media.clear();
      silentMs = 0;
      pauseMs = 0;
      cut();
    },
  };
}

function textOf({ made, text }: SpeakRequest): string {
  return made?.text() ?? text;
}

/** As the provider tells it, else as it sounds. */
function wordStarts(
  { words, cutMs, shape }: Utterance,
  { heard, heardMs }: { heard: string; heardMs: number },
): number[] {
  const told = wordStartsOf(heard, words);
  return told
    ? told.map((startMs) => Math.max(0, startMs - cutMs))
    : estimateWordStarts(heard, shapeUntil(shape, heardMs));
}
