import type { SpokenLeg, Speaking } from '#lib/ports/carrier.ts';
import type { MadeSpeech } from '#lib/ports/speech.ts';
import type { ReplyPiece } from './brain/brain.ts';
import type { TurnRecord } from './plan.ts';

/** One reply of the agent on its way to the person's ear, piece by piece as the brain makes it. */
export type AgentReply = {
  say(what: ReplyPiece): void;
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
  speak(what: ReplyPiece): Speaking;
  nextSeq(): number;
  onTurn(turn: TurnRecord): void;
  onAudible(): void;
  onFinished(): void;
  onFailed(error: unknown): void;
};

/** `speaking`: as it was handed to the leg; undefined while it waits for that. */
type Piece = { what: ReplyPiece; speaking: Speaking | undefined; wasCut: boolean };

type Reply = {
  readonly options: AgentSpeechOptions;
  readonly pieces: Pieces;
  readonly turn: AgentTurn;
  isComplete: boolean;
  isCut: boolean;
  isDropped: boolean;
  changed: PromiseWithResolvers<void>;
};

/** Begins a reply. `onFinished` is called once all of it was heard, never after `drop`. */
export function beginReply(options: AgentSpeechOptions): AgentReply {
  const { leg } = options;
  const pieces = createPieces(options.speak);
  const reply: Reply = {
    options,
    pieces,
    turn: createAgentTurn(options),
    isComplete: false,
    isCut: false,
    isDropped: false,
    changed: Promise.withResolvers(),
  };
  let hasWords = false;
  const stop = () => {
    reply.isDropped = true;
    // Of a reply that was cut nothing is being said; what is heard now is somebody else's.
    if (!reply.isCut) leg.stopSpeaking();
  };
  const done = hearOut(reply).catch((error: unknown) => {
    stop();
    // What was heard before stays heard.
    storeTurn(reply);
    options.onFailed(error);
  });

  return {
    say(what) {
      if (reply.isDropped || reply.isComplete || (typeof what === 'string' && what.trim() === '')) return;
      hasWords = true;
      pieces.add(what);
      notify(reply);
    },
    complete() {
      reply.isComplete = true;
      notify(reply);
    },
    cut() {
      reply.isCut = true;
      pieces.markCut();
      leg.stopSpeaking();
      notify(reply);
    },
    resume() {
      reply.isCut = false;
      notify(reply);
    },
    drop() {
      if (reply.isDropped) return;
      stop();
      notify(reply);
    },
    hasWords: () => hasWords,
    done,
  };
}

/** After every change: what can be spoken now is handed over, and whoever waits looks again. */
function notify(reply: Reply): void {
  if (!reply.isCut && !reply.isDropped) reply.pieces.handOver();
  reply.changed.resolve();
  reply.changed = Promise.withResolvers();
}

/** Follows a reply until all of it was heard, or it was dropped. */
async function hearOut(reply: Reply): Promise<void> {
  const { pieces, options } = reply;
  for (;;) {
    const piece = pieces.firstSpoken();
    if (piece?.speaking) await hear(reply, piece, piece.speaking);
    else if (reply.isDropped) return storeTurn(reply);
    else if (!reply.isCut && reply.isComplete && pieces.isEmpty()) {
      storeTurn(reply);
      return options.onFinished();
    } else {
      if (reply.isCut) storeTurn(reply);
      await reply.changed.promise;
    }
  }
}

async function hear(reply: Reply, piece: Piece, { started, finished }: Speaking): Promise<void> {
  const { pieces, turn, options } = reply;
  const startedAtMs = await started;
  if (startedAtMs !== undefined && turn.begin(startedAtMs)) options.onAudible();
  const { heard, unheard, rest, endedAtMs, wordStartsMs } = await finished;
  if (startedAtMs !== undefined) turn.add({ heard, startedAtMs, endedAtMs, wordStartsMs });
  const left = rest ?? unheard;
  // Only a cut, a drop or the end of the call stop speech: without the first two, the call is over.
  if (left !== '' && !piece.wasCut) reply.isDropped = true;
  pieces.settle(piece, left);
  notify(reply);
}

function storeTurn({ pieces, turn, isDropped, isComplete }: Reply): void {
  const rest = pieces.rest();
  turn.store({ rest, interrupted: !pieces.isEmpty() || (isDropped && !isComplete) });
}

type Pieces = ReturnType<typeof createPieces>;

/** What is being said and what waits to be said, in order. */
function createPieces(speak: (what: ReplyPiece) => Speaking) {
  const pieces: Piece[] = [];
  return {
    add: (what: ReplyPiece) => void pieces.push({ what, speaking: undefined, wasCut: false }),
    isEmpty: () => pieces.length === 0,
    /** Everything goes to the leg as early as possible: it makes the next speech while this one is heard. */
    handOver(): void {
      for (const piece of pieces) piece.speaking ??= speak(piece.what);
    },
    firstSpoken: () => pieces.find(({ speaking }) => speaking),
    markCut(): void {
      for (const piece of pieces) piece.wasCut = piece.speaking !== undefined;
    },
    /** What was not heard waits in its place to be said again. */
    settle(piece: Piece, unheard: string | MadeSpeech): void {
      if (unheard === '') pieces.splice(pieces.indexOf(piece), 1);
      else Object.assign(piece, { what: unheard, speaking: undefined, wasCut: false });
    },
    rest: () =>
      pieces
        .map(({ what }) => (typeof what === 'string' ? what : what.text()))
        .filter((text) => text !== '')
        .join(' '),
  };
}

type AgentTurn = ReturnType<typeof createAgentTurn>;

/** What was heard of a reply since it became audible, or since it went on after a cut. */
function createAgentTurn({
  answeredAtMs,
  nextSeq,
  onTurn,
}: Pick<AgentSpeechOptions, 'answeredAtMs' | 'nextSeq' | 'onTurn'>) {
  let turn:
    | { seq: number; startedAtMs: number; endedAtMs: number; heard: string[]; wordStartsMs: number[] }
    | undefined;
  return {
    /** True where it begins with this sound. */
    begin(startedAtMs: number): boolean {
      if (turn) return false;
      turn = { seq: nextSeq(), startedAtMs, endedAtMs: startedAtMs, heard: [], wordStartsMs: [] };
      return true;
    },
    add(piece: {
      heard: string;
      startedAtMs: number;
      endedAtMs: number;
      wordStartsMs: number[] | undefined;
    }): void {
      if (!turn) return;
      turn.endedAtMs = piece.endedAtMs;
      if (piece.heard === '') return;
      turn.heard.push(piece.heard);
      const offsetMs = piece.startedAtMs - turn.startedAtMs;
      for (const startMs of piece.wordStartsMs ?? []) turn.wordStartsMs.push(Math.round(offsetMs + startMs));
    },
    /** Hands the turn over; one of which no word was heard is none. `rest`: what was not heard. */
    store({ rest, interrupted }: { rest: string; interrupted: boolean }): void {
      if (!turn) return;
      const { seq, startedAtMs, endedAtMs, heard, wordStartsMs } = turn;
      turn = undefined;
      const text = heard.join(' ');
      if (text === '') return;
      onTurn({
        seq,
        speaker: 'agent',
        text,
        intendedText: rest === '' ? null : `${text} ${rest}`.trim(),
        startedMs: Math.round(startedAtMs - answeredAtMs),
        endedMs: Math.round(endedAtMs - answeredAtMs),
        interrupted,
        ...(wordStartsMs.length === countWords(text) ? { wordStartsMs } : {}),
      });
    },
  };
}

const countWords = (text: string) => text.match(/\S+/g)?.length ?? 0;
