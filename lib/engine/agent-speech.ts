import type { Leg } from '#lib/ports/carrier.ts';
import type { Pcm } from '#lib/ports/speech.ts';
import type { CallRecorder } from './call-recorder.ts';
import { truncateAtPlayout } from './heard-text.ts';
import type { TurnRecord } from './plan.ts';

/** One reply of the agent on its way to the person's ear, piece by piece as the brain makes it. */
export type AgentReply = {
  say(text: string): void;
  /** Nothing more will be said. */
  complete(): void;
  /** Stops at once; `resume` goes on with the word that was cut. */
  cut(): void;
  resume(): void;
  /** Stops at once and for good. */
  drop(): void;
  /** Whether anything was said or is waiting to be said. */
  hasWords(): boolean;
  /** Resolves when the reply was played out or dropped and its turn was handed over. */
  readonly done: Promise<void>;
};

export type AgentSpeechOptions = {
  leg: Leg;
  recorder: CallRecorder;
  answeredAtMs: number;
  synthesize(text: string): Promise<Pcm>;
  nextSeq(): number;
  onTurn(turn: TurnRecord): void;
  onAudible(): void;
  onFinished(): void;
  onFailed(error: unknown): void;
};

type Piece = { text: string; audio: Promise<Pcm> };

/** Begins a reply. `onFinished` is called once all of it was heard, never after `drop`. */
export function beginReply(options: AgentSpeechOptions): AgentReply {
  const { leg, recorder, answeredAtMs } = options;
  const waiting: Piece[] = [];
  let hasWords = false;
  let turn: { seq: number; startedMs: number; endedMs: number; heard: string[] } | undefined;
  let isComplete = false;
  let isCut = false;
  let isDropped = false;
  let changed = Promise.withResolvers<void>();

  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };
  const toPiece = (text: string): Piece => {
    const audio = leg.clock.during(options.synthesize(text));
    // Awaited when its turn comes; a failure meanwhile must not count as unhandled.
    audio.catch(() => undefined);
    return { text, audio };
  };

  async function playPiece(piece: Piece): Promise<void> {
    const audio = await piece.audio;
    if (isDropped || isCut) {
      waiting.unshift(piece);
      return;
    }
    const startedAtMs = leg.clock.nowMs();
    const playout = leg.play({ text: piece.text, audio });
    if (!turn) options.onAudible();
    turn ??= { seq: options.nextSeq(), startedMs: startedAtMs - answeredAtMs, endedMs: 0, heard: [] };
    const { heardMs } = await playout.finished;
    turn.endedMs = startedAtMs + heardMs - answeredAtMs;
    void recorder.write('agent', audio, startedAtMs - answeredAtMs, heardMs);
    const { heard, unheard } = truncateAtPlayout(piece.text, heardMs, audio.samples.length / 16);
    if (heard !== '') turn.heard.push(heard);
    if (unheard !== '') {
      waiting.unshift(toPiece(unheard));
      // Only a cut, a drop or the end of the call stop playout: without the first two, the call is over.
      if (!isCut) isDropped = true;
    }
  }

  function storeTurn(): void {
    if (!turn) return;
    const { seq, startedMs, endedMs, heard } = turn;
    turn = undefined;
    const text = heard.join(' ');
    const rest = waiting.map((piece) => piece.text).join(' ');
    const interrupted = rest !== '' || (isDropped && !isComplete);
    if (text === '') return;
    const intendedText = rest === '' ? null : `${text} ${rest}`.trim();
    options.onTurn({
      seq,
      speaker: 'agent',
      text,
      intendedText,
      startedMs: Math.round(startedMs),
      endedMs: Math.round(endedMs),
      interrupted,
    });
  }

  async function run(): Promise<void> {
    for (;;) {
      if (isDropped) return storeTurn();
      if (isCut) {
        storeTurn();
        while (isCut && !isDropped) await changed.promise;
        continue;
      }
      const piece = waiting.shift();
      if (piece) {
        await playPiece(piece);
        continue;
      }
      if (isComplete) {
        storeTurn();
        return options.onFinished();
      }
      await changed.promise;
    }
  }

  const done = run().catch((error: unknown) => {
    isDropped = true;
    options.onFailed(error);
  });

  return {
    say(text) {
      if (isDropped || isComplete || text.trim() === '') return;
      hasWords = true;
      waiting.push(toPiece(text));
      notify();
    },
    complete() {
      isComplete = true;
      notify();
    },
    cut() {
      isCut = true;
      leg.stopPlaying();
      notify();
    },
    resume() {
      isCut = false;
      notify();
    },
    drop() {
      if (isDropped) return;
      isDropped = true;
      leg.stopPlaying();
      notify();
    },
    hasWords: () => hasWords,
    done,
  };
}
