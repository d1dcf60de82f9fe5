import type { SpeechStretch, Transcription } from '#lib/ports/transcription.ts';

/** A transcription that takes longer is asked for once more; it is then too late for a conversation anyway. */
const LIMIT_MS = 4_000;
const TRIES = 2;

export type Heard = { ok: true; transcription: Transcription } | { ok: false; reason: string };

export type Transcribing = {
  /** Asks for the words of everything written until now; `nowMs` is call time. */
  ask(nowMs: number): void;
  /** The person goes on: what was asked is void. */
  dropAsked(): void;
  /** What came of the last question; undefined while it is under way. */
  heard(): Heard | undefined;
  /** Time passes: a provider that is silent for too long is given up. */
  tick(nowMs: number): void;
  end(): void;
};

/**
 * Asks for the words of one stretch of speech: dropped when the person goes on, once more when it fails or takes longer
 * than 4 s. `onHeard` is called when an answer, or the last failure, is there.
 */
export function createTranscribing(options: {
  stretch: SpeechStretch;
  onHeard(): void;
  nowMs(): number;
}): Transcribing {
  const { stretch } = options;
  let asked: { controller: AbortController; atMs: number; tries: number } | undefined;
  let heard: Heard | undefined;

  function ask(nowMs: number, tries: number): void {
    const controller = new AbortController();
    asked = { controller, atMs: nowMs, tries };
    stretch.transcribe(controller.signal).then(
      (transcription) => {
        if (!controller.signal.aborted) settle({ ok: true, transcription });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) fail(reasonOf(error));
      },
    );
  }

  function fail(reason: string): void {
    const tries = asked?.tries ?? TRIES;
    asked?.controller.abort();
    if (tries < TRIES) ask(options.nowMs(), tries + 1);
    else settle({ ok: false, reason });
  }

  function settle(result: Heard): void {
    asked = undefined;
    heard = result;
    options.onHeard();
  }

  function dropAsked(): void {
    asked?.controller.abort();
    asked = undefined;
    heard = undefined;
  }

  return {
    ask(nowMs) {
      dropAsked();
      ask(nowMs, 1);
    },
    dropAsked,
    heard: () => heard,
    tick(nowMs) {
      if (asked && nowMs - asked.atMs > LIMIT_MS) fail('The transcription took too long.');
    },
    end() {
      dropAsked();
      stretch.end();
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
