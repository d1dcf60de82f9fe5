import type { SpokenLeg, Speaking } from '#lib/ports/carrier.ts';
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
  leg: Pick<SpokenLeg, 'stopSpeaking'>;
  answeredAtMs: number;
  speak(text: string): Speaking;
  nextSeq(): number;
  onTurn(turn: TurnRecord): void;
  onAudible(): void;
  onFinished(): void;
  onFailed(error: unknown): void;
};

/** `speaking`: as it was handed to the leg; undefined while it waits for that. */
type Piece = { text: string; speaking: Speaking | undefined; wasCut: boolean };

/** Begins a reply. `onFinished` is called once all of it was heard, never after `drop`. */
export function beginReply(options: AgentSpeechOptions): AgentReply {
  const { leg, answeredAtMs } = options;
  const pieces: Piece[] = [];
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

  /** Everything goes to the leg as early as possible: it makes the next speech while this one is heard. */
  function handOver(): void {
    if (isCut || isDropped) return;
    for (const piece of pieces) piece.speaking ??= options.speak(piece.text);
  }

  async function hear(piece: Piece, { started, finished }: Speaking): Promise<void> {
    const startedAtMs = await started;
    if (startedAtMs !== undefined && !turn) {
      turn = { seq: options.nextSeq(), startedMs: startedAtMs - answeredAtMs, endedMs: 0, heard: [] };
      options.onAudible();
    }
    const { heard, unheard, endedAtMs } = await finished;
    if (turn && startedAtMs !== undefined) turn.endedMs = endedAtMs - answeredAtMs;
    if (heard !== '') turn?.heard.push(heard);
    if (unheard === '') {
      pieces.splice(pieces.indexOf(piece), 1);
      return;
    }
    // Only a cut, a drop or the end of the call stop speech: without the first two, the call is over.
    if (!piece.wasCut) isDropped = true;
    Object.assign(piece, { text: unheard, speaking: undefined, wasCut: false });
    handOver();
  }

  function storeTurn(): void {
    if (!turn) return;
    const { seq, startedMs, endedMs, heard } = turn;
    turn = undefined;
    const text = heard.join(' ');
    const rest = pieces.map((piece) => piece.text).join(' ');
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
      const piece = pieces.find(({ speaking }) => speaking);
      if (piece?.speaking) await hear(piece, piece.speaking);
      else if (isDropped) return storeTurn();
      else if (!isCut && isComplete && pieces.length === 0) {
        storeTurn();
        return options.onFinished();
      } else {
        if (isCut) storeTurn();
        await changed.promise;
      }
    }
  }

  const done = run().catch((error: unknown) => {
    isDropped = true;
    leg.stopSpeaking();
    options.onFailed(error);
  });

  return {
    say(text) {
      if (isDropped || isComplete || text.trim() === '') return;
      hasWords = true;
      pieces.push({ text, speaking: undefined, wasCut: false });
      handOver();
      notify();
    },
    complete() {
      isComplete = true;
      notify();
    },
    cut() {
      isCut = true;
      for (const piece of pieces) piece.wasCut = piece.speaking !== undefined;
      leg.stopSpeaking();
      notify();
    },
    resume() {
      isCut = false;
      handOver();
      notify();
    },
    drop() {
      if (isDropped) return;
      isDropped = true;
      leg.stopSpeaking();
      notify();
    },
    hasWords: () => hasWords,
    done,
  };
}
