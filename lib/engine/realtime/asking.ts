import type { ReplyPiece } from '#lib/engine/brain/brain.ts';
import { NoAnswer, PATIENCE } from '#lib/engine/brain/model-attempts.ts';
import { splitSentences } from '#lib/engine/brain/sentences.ts';
import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import type { Latencies } from '#lib/engine/latency.ts';
import { within } from '#lib/engine/within.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import { isFatal, providerFailureOf } from '#lib/ports/provider-failure.ts';
import type { RealtimeAnswer, RealtimeEvent, RealtimeRequest, RealtimeSession } from '#lib/ports/realtime.ts';
import { createSpeechInTheMaking, type SpeechInTheMaking } from './made-speech.ts';

/** A model that writes the arguments of a tool, or was only seen to begin, is waited for so long. */
const WORKING_MS = 5_000;
/** Longer than anybody listens without a word of their own; an answer that ends soon after is said to its end. */
const LONG_MS = 30_000;
const TOO_LONG_MS = 42_000;

export type Asking = {
  session: RealtimeSession;
  /** The model's name, told with its failures. */
  model: string;
  clock: CallClock;
  language: SpokenLanguage;
  latencies: Pick<Latencies, 'answered'>;
  /** `again`: the same model is asked once more for this answer; `nothing`: it works, and has nothing to say. */
  onFailure(error: NoAnswer, afterMs: number, what: 'again' | 'over' | 'nothing'): void;
  /** Somebody else can answer, so that one that hangs is not asked twice. */
  hasOther: boolean;
};

/** What came of one question, filled while the answer comes in. */
export type AnswerPart = {
  calls: Extract<RealtimeEvent, { type: 'tool_call' }>[];
  said: string;
};

/** An answer of which it is to be told how much was heard. `speech`: undefined where none came. */
export type Given = {
  answer: RealtimeAnswer;
  speech: SpeechInTheMaking | undefined;
  totalMs: number;
  calls: number;
};

type Request = RealtimeRequest & { mayBeEmpty: boolean };

/**
 * Asks the model for one answer, as patiently as a person on the line is, and once more on a new connection where it was
 * lost before a sound. Gives its speech as soon as it sounds. Throws `NoAnswer`; what had come until then is said up to
 * a pause.
 */
export async function* askRealtime(
  asking: Asking,
  request: Request,
  { given, part }: { given: Given[]; part: AnswerPart },
): AsyncGenerator<ReplyPiece> {
  const { session, clock } = asking;
  for (let attempt = 1; ; attempt += 1) {
    const askedAtMs = clock.nowMs();
    const before = given.length;
    try {
      return yield* askOnce(asking, request, { given, part });
    } catch (error) {
      request.signal.throwIfAborted();
      const kind = error instanceof NoAnswer ? error.kind : providerFailureOf(error).kind;
      const hadBegun = given.slice(before).some(({ speech }) => speech);
      const failure = new NoAnswer(kind, { hadBegun, cause: error });
      const afterMs = Math.round(clock.nowMs() - askedAtMs);
      const isNothing = kind === 'empty' || kind === 'filtered';
      const isWorthAgain = attempt === 1 && !hadBegun && !isFatal(kind) && kind !== 'refused';
      const asksAgain = !isNothing && isWorthAgain && (kind !== 'timed_out' || !asking.hasOther);
      asking.onFailure(failure, afterMs, isNothing ? 'nothing' : asksAgain ? 'again' : 'over');
      if (!asksAgain) throw failure;
      session.renew();
    }
  }
}

async function* askOnce(
  asking: Asking,
  request: Request,
  { given, part }: { given: Given[]; part: AnswerPart },
): AsyncGenerator<ReplyPiece> {
  const { session, clock, hasOther } = asking;
  const abort = new AbortController();
  const signal = AbortSignal.any([request.signal, abort.signal]);
  const answer = session.respond({ ...request, signal });
  const reading = createReading(asking, { answer, speech: undefined, totalMs: 0, calls: 0 }, part);
  given.push(reading.given);
  const events = answer[Symbol.asyncIterator]();
  let untilMs = clock.nowMs() + (hasOther ? PATIENCE.nextAttemptMs : PATIENCE.lastAttemptMs);
  try {
    for (;;) {
      const step = await within(events.next(), Math.max(0, untilMs - clock.nowMs()), clock);
      if (step === 'late') throw new NoAnswer('timed_out', { hadBegun: false, cause: undefined });
      if (step.done) throw new NoAnswer('broke_off', { hadBegun: false, cause: undefined });
      const event = step.value;
      yield* reading.take(event);
      if (event.type === 'done') return yield* reading.finish(event, request.mayBeEmpty);
      if (reading.isTooLong()) return yield* reading.stopTalking();
      const waitMs = reading.given.speech ? PATIENCE.stallMs : event.type === 'words' ? 0 : WORKING_MS;
      untilMs = Math.max(reading.given.speech ? 0 : untilMs, clock.nowMs() + waitMs);
    }
  } finally {
    // What was not read to its end is given up; what came of it is said up to a pause.
    abort.abort(new Error('given up'));
    reading.given.speech?.endAtPause();
    if (reading.given.speech) part.said = reading.given.speech.speech.text();
  }
}

/** Reads the events of one answer. */
function createReading({ clock, latencies, language }: Asking, given: Given, part: AnswerPart) {
  const askedAtMs = clock.nowMs();
  const speech = createSpeechInTheMaking(clock);
  let words = '';

  function* sound(samples: Int16Array): Generator<ReplyPiece> {
    given.totalMs += samples.length / SAMPLES_PER_MS;
    speech.addSound(samples);
    if (given.speech) return;
    given.speech = speech;
    latencies.answered(askedAtMs);
    yield speech.speech;
  }

  return {
    given,
    *take(event: RealtimeEvent): Generator<ReplyPiece> {
      if (event.type === 'words') {
        // The sound follows in a moment: nobody has to fill the silence any more.
        if (words === '') yield '';
        words += event.delta;
        speech.addWords(event.delta);
      }
      if (event.type === 'sound') yield* sound(event.samples);
      if (event.type === 'tool_call') {
        given.calls += 1;
        part.calls.push(event);
      }
    },
    *finish(
      { finish }: Extract<RealtimeEvent, { type: 'done' }>,
      mayBeEmpty: boolean,
    ): Generator<ReplyPiece> {
      if (given.speech && finish === 'length') return yield* this.stopTalking();
      if (given.speech) return speech.end();
      if (finish === 'filtered') throw new NoAnswer('filtered', { hadBegun: false, cause: undefined });
      // A server whose model writes instead of speaking: the other voice says it.
      part.said = words.trim();
      if (part.said !== '') yield* splitSentences(part.said, language.code);
      else if (given.calls === 0 && !mayBeEmpty)
        throw new NoAnswer('empty', { hadBegun: false, cause: undefined });
    },
    isTooLong: () => given.totalMs > TOO_LONG_MS,
    /** Whole phrases only, and then it is the person's turn. */
    *stopTalking(): Generator<ReplyPiece> {
      speech.endAtPause({ notBeforeMs: LONG_MS });
      yield language.lines.shallIGoOn;
    },
  };
}
