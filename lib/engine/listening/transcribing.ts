import type { SpeechStretch, Transcription } from '#lib/ports/transcription.ts';
import { isFatal, type ProviderFailureKind, providerFailureOf } from '#lib/ports/provider-failure.ts';

/** How long a person who has said something is kept waiting for its words, in milliseconds of the call clock. */
export const TRANSCRIPTION_PATIENCE = {
  /** No words by then: they are asked for once more beside the first question, and whichever answers counts. */
  nextAttemptMs: 2_000,
  /** Before they are asked for again where the first question failed at once. */
  pauseMs: 300,
  /** The longest that is waited for a server which names a time. */
  busyPauseMs: 2_000,
  /** Counted from the first question: the person is asked to say it again. */
  giveUpMs: 4_200,
} as const;
const TRIES = 2;
const TOO_LONG = 'The transcription did not answer in time.';

/** `model`: the one that failed. */
export type Unheard = { model: string; reason: string; kind: ProviderFailureKind };
export type Heard = { ok: true; transcription: Transcription } | ({ ok: false } & Unheard);

export type Transcribing = {
  /** Asks for the words of everything written until now; `nowMs` is call time. */
  ask(nowMs: number): void;
  /** The person goes on: what was asked is void. */
  dropAsked(): void;
  /** What came of the last question; undefined while it is under way. */
  heard(): Heard | undefined;
  /** Time passes: a provider that is silent is asked again, and given up in the end. */
  tick(nowMs: number): void;
  end(): void;
};

type Question = {
  atMs: number;
  tries: number;
  running: Set<AbortController>;
  /** When it is asked again at the latest. */
  againAtMs: number;
  last: Unheard;
};

/**
 * Asks for the words of one stretch of speech, as patiently as a person on the line is: once more when it fails or takes
 * long, of another model where there is one, and never after the person goes on. `onHeard` is called when an answer, or the
 * last failure, is there.
 */
export function createTranscribing(options: {
  stretch: SpeechStretch;
  /** Of the transcriber. */
  model: string;
  onHeard(): void;
  /** It is, or will be, asked once more. */
  onRetry(failure: Unheard & { afterMs: number }): void;
  nowMs(): number;
}): Transcribing {
  const { stretch, onRetry } = options;
  const first = { model: stretch.model ?? options.model, transcribe: stretch.transcribe };
  let asked: Question | undefined;
  let heard: Heard | undefined;

  function attempt(question: Question): void {
    const controller = new AbortController();
    const askedModel = question.tries === 0 ? first : (stretch.other ?? first);
    question.tries += 1;
    question.running.add(controller);
    question.againAtMs = Number.POSITIVE_INFINITY;
    askedModel.transcribe(controller.signal).then(
      (transcription) => {
        question.running.delete(controller);
        if (asked === question) settle({ ok: true, transcription });
      },
      (error: unknown) => {
        question.running.delete(controller);
        if (asked === question) fail(question, askedModel.model, error);
      },
    );
  }

  function fail(question: Question, model: string, error: unknown): void {
    const { kind, retryAfterMs = TRANSCRIPTION_PATIENCE.pauseMs } = providerFailureOf(error);
    question.last = { model, reason: error instanceof Error ? error.message : String(error), kind };
    const isPointless = stretch.other === undefined && (isFatal(kind) || kind === 'refused');
    if (question.tries >= TRIES || isPointless) {
      // The other question may still be answered.
      if (question.running.size === 0) settle({ ok: false, ...question.last });
      return;
    }
    const pauseMs = stretch.other ? 0 : Math.min(retryAfterMs, TRANSCRIPTION_PATIENCE.busyPauseMs);
    question.againAtMs = options.nowMs() + pauseMs;
    tellRetry(question);
  }

  function tellRetry({ last, atMs }: Question): void {
    onRetry({ ...last, afterMs: Math.round(options.nowMs() - atMs) });
  }

  function settle(result: Heard): void {
    stop();
    heard = result;
    options.onHeard();
  }

  function stop(): void {
    for (const controller of asked?.running ?? []) controller.abort(new Error('Not wanted any more'));
    asked = undefined;
  }

  function dropAsked(): void {
    stop();
    heard = undefined;
  }

  return {
    ask(nowMs) {
      dropAsked();
      asked = {
        atMs: nowMs,
        tries: 0,
        running: new Set(),
        againAtMs: 0,
        last: { model: first.model, reason: TOO_LONG, kind: 'timed_out' },
      };
      attempt(asked);
    },
    dropAsked,
    heard: () => heard,
    tick(nowMs) {
      if (!asked) return;
      const waitedMs = nowMs - asked.atMs;
      if (waitedMs >= TRANSCRIPTION_PATIENCE.giveUpMs) return settle({ ok: false, ...asked.last });
      const isLate = asked.tries < TRIES && waitedMs >= TRANSCRIPTION_PATIENCE.nextAttemptMs;
      if (isLate && asked.againAtMs === Number.POSITIVE_INFINITY) tellRetry(asked);
      if (isLate || nowMs >= asked.againAtMs) attempt(asked);
    },
    end() {
      dropAsked();
      stretch.end();
    },
  };
}
