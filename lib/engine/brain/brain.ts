import type { MadeSpeech } from '#lib/ports/speech.ts';
import type { ModelUsage } from '#lib/ports/language-model.ts';
import type { Finish } from '#lib/engine/tools/tool.ts';

export type BrainTurn = {
  /** What the person said since the agent's last words. */
  heard: string;
  /**
   * Where the answer is begun before the person's turn is surely over: resolves when it is. Until then no tool is used
   * and nothing is remembered; an answer that was begun too early is aborted and leaves no trace. Only brains that
   * `beginsEarly` are given it.
   */
  confirmed?: Promise<void>;
  /** Another brain began the answer and could not go on: what it said. What the person said is known already. */
  begun?: { said: readonly string[] };
  signal: AbortSignal;
  /** Use a tool; its finish (hang-up, transfer) happens after this reply was heard. */
  useTool(name: string, rawArguments: unknown): Promise<Record<string, unknown>>;
};

/** Something to say: words for the agent's voice, or speech with its words. */
export type ReplyPiece = string | MadeSpeech;

/** Decides what the agent says. The opening is not its business: that line is fixed. */
export type Brain<Piece extends ReplyPiece = ReplyPiece> = {
  /** Whether an answer can be begun, and dropped again, without a trace. */
  readonly beginsEarly?: true;
  /**
   * Streams the reply in pieces that can be spoken as they are, at best a sentence each, or as speech that is being made;
   * an empty one tells that words are on their way. Throws when it cannot answer.
   */
  respond(turn: BrainTurn): AsyncIterable<Piece>;
  /** What the agent was heard to say, after every turn of its own, cut where it was cut. */
  noteAgentSaid(text: string): void;
  /** Something the agent tried did not work (a transfer); gives what to say about it. */
  recover(finish: Finish, reason: string): string;
  readonly usage: ModelUsage;
};
