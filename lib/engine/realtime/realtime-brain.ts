import { createTurn, type Turn } from '#lib/engine/brain/answered-turn.ts';
import type { Brain, BrainTurn, ReplyPiece } from '#lib/engine/brain/brain.ts';
import { type AttemptFailure, NoAnswer } from '#lib/engine/brain/model-attempts.ts';
import type { ModelHistory } from '#lib/engine/brain/model-history.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { ChatMessage } from '#lib/ports/language-model.ts';
import { isFatal } from '#lib/ports/provider-failure.ts';
import { type AnswerPart, askRealtime, type Asking, type Given } from './asking.ts';

/** So often may one reply use tools before it has to be spoken. */
const MAX_TOOL_ROUNDS = 4;
/** Turns on which the model failed: it is not asked again on this call. */
const MOST_FAILED_TURNS = 2;

export type RealtimeBrainOptions = Omit<Asking, 'onFailure' | 'hasOther' | 'language'> & {
  plan: CallPlan;
  history: ModelHistory;
  /** Answers where the model cannot, with the same history; undefined: the call ends then. */
  other: { brain: Brain<string>; model: string } | undefined;
  onFailure(failure: AttemptFailure): void;
  /** The model is not asked any more. */
  onGivenUp(): void;
};

/**
 * A brain that hears and speaks by itself: what it says is sound with its words. A turn on which it fails is answered by
 * the other brain, from the word on at which it broke off; after two such turns, or where somebody has to act (a key, a
 * bill), the other brain has the call.
 */
export function createRealtimeBrain(options: RealtimeBrainOptions): Omit<Brain, 'usage'> {
  const { plan, session, history, other } = options;
  const { lines } = plan.language;
  let isGivenUp = false;
  let failedTurns = 0;
  let emptyInARow = 0;
  /** What was made for the last turn, of which it is not known yet how much was heard. */
  let given: Given[] = [];

  function giveUp(): void {
    isGivenUp = true;
    options.onGivenUp();
    session.close();
  }

  const asking: Asking = {
    ...options,
    language: plan.language,
    hasOther: other !== undefined,
    onFailure({ kind }, afterMs, what) {
      const next = { again: options.model, over: other?.model ?? null, nothing: null }[what];
      options.onFailure({ model: options.model, kind, afterMs, next });
      if (what !== 'over') return;
      failedTurns += 1;
      if (other && (isFatal(kind) || failedTurns >= MOST_FAILED_TURNS)) giveUp();
      // Whatever it knows of the call, it is not what was said.
      else session.renew();
    },
  };

  async function* answer(turn: Turn, heard: string, before: ChatMessage[]): AsyncGenerator<ReplyPiece> {
    let isLooping = false;
    for (let round = 0; round <= MAX_TOOL_ROUNDS; round += 1) {
      const isFirst = round === 0;
      const part: AnswerPart = { calls: [], said: '' };
      const request = {
        heard: isFirst ? heard : undefined,
        messages: isFirst ? before : history.with(undefined, []),
        offersTools: round < MAX_TOOL_ROUNDS && !isLooping,
        mayBeEmpty: turn.said > 0,
        signal: turn.signal,
      };
      yield* turn.count(askRealtime(asking, request, { given, part }));
      if (part.calls.length === 0) return;
      await turn.keep();
      isLooping = await use(turn, part);
      // The goodbye is part of this reply: asking again would only add words after it.
      if (turn.isFinishing) return;
    }
  }

  /** Uses the tools that an answer asks for; true where it asked for nothing new. */
  async function use(turn: Turn, { calls, said }: AnswerPart): Promise<boolean> {
    const used: ChatMessage[] = [
      {
        role: 'assistant',
        content: said,
        toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
      },
    ];
    let isLooping = true;
    for (const call of calls) {
      const { result, isRepeated } = await turn.useTool(call);
      used.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(result) });
      session.giveResults([{ callId: call.id, result }]);
      isLooping &&= isRepeated;
      turn.isFinishing ||= (call.name === 'end_call' || call.name === 'transfer_call') && result.ok === true;
    }
    history.keepToolUse(used);
    return isLooping;
  }

  /** The other brain answers, or goes on where this one broke off. */
  async function* answerInstead(asked: BrainTurn, turn: Turn, error: NoAnswer): AsyncGenerator<ReplyPiece> {
    if (!other) throw error;
    const words = error.hadBegun ? given.at(-1)?.speech?.speech.text() : undefined;
    const said = words ? [words] : [];
    if (said.length === 0 && !turn.hasUsedTools()) return yield* other.brain.respond(asked);
    await turn.keep();
    yield* other.brain.respond({ ...asked, begun: { said } });
  }

  /** A model that works but has nothing to say is no reason to hang up, once. */
  function* sayInstead(kind: NoAnswer['kind'], { hasFailedTool }: Turn): Generator<string> {
    if (kind === 'filtered' || hasFailedTool) return yield lines.cannotAnswer;
    emptyInARow += 1;
    if (emptyInARow > 1) throw new NoAnswer('empty', { hadBegun: false, cause: undefined });
    yield lines.sayAgain;
  }

  async function* respond(asked: BrainTurn): AsyncGenerator<ReplyPiece> {
    history.forgetUnheard();
    tellWhatWasHeard(given);
    given = [];
    if (isGivenUp && other) return yield* other.brain.respond(asked);
    const before = history.with(undefined, []);
    const turn = createTurn(asked, history.hear);
    try {
      yield* answer(turn, asked.heard, before);
      if (turn.said > 0 || turn.isFinishing) emptyInARow = 0;
      else yield* sayInstead('empty', turn);
    } catch (error) {
      turn.signal.throwIfAborted();
      if (!(error instanceof NoAnswer)) throw error;
      if (error.kind === 'filtered' || error.kind === 'empty') yield* sayInstead(error.kind, turn);
      else yield* answerInstead(asked, turn, error);
    }
  }

  return {
    beginsEarly: true,
    respond,
    noteAgentSaid(text) {
      history.say(text);
      const unknown = given.reduce(
        (left, { speech }) => (speech ? left.replace(speech.heardWords(), '') : left),
        text,
      );
      const isFiller = [lines.filler.first, lines.filler.second].includes(unknown.trim());
      if (unknown.trim() !== '' && !isFiller && !isGivenUp)
        session.tell({ role: 'assistant', content: unknown.trim() });
    },
    recover(finish, reason) {
      const note = `[The transfer failed: ${reason}. Apologise and offer to take a message.]`;
      history.note(note);
      if (!isGivenUp) session.tell({ role: 'user', content: note });
      return finish.kind === 'transfer' ? lines.transferFailed : lines.sayAgain;
    },
  };
}

/** The model forgets what nobody heard. */
function tellWhatWasHeard(given: readonly Given[]): void {
  for (const { answer, speech, totalMs, calls } of given) {
    if (speech && speech.heardMs() < totalMs - 1) answer.truncate(speech.heardMs());
    // Given up before a sound; one that used tools did something.
    if (!speech && calls === 0) answer.truncate(0);
  }
}
