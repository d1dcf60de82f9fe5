import type { CallPlan } from '#lib/engine/plan.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { ChatMessage, LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import { createTurn, type Turn } from './answered-turn.ts';
import type { Brain } from './brain.ts';
import { type AttemptFailure, createModelAttempts, NoAnswer } from './model-attempts.ts';
import { callInstructions } from './call-instructions.ts';
import { createModelHistory, type ModelHistory } from './model-history.ts';
import { limitLength } from './reply-length.ts';
import { createSpeechCollector } from './speech-collector.ts';

/** So often may one reply use tools before it has to be spoken. */
const MAX_TOOL_ROUNDS = 4;
/** So often may one answer break off in the middle. */
const MAX_BREAKS = 3;

type ToolCall = Extract<ModelEvent, { type: 'tool_call' }>;
type Part = { said: string[]; calls: ToolCall[] };

/**
 * A brain that asks a language model: speaks sentence by sentence while the answer streams in, and runs the tools the
 * model uses. Whole sentences only, none of them longer than a person listens. What fails is tried again and with the
 * fallback model (model-attempts.ts); then `respond` throws, and the call ends politely. An answer without words does
 * not end it the first time.
 */
export function createModelBrain(options: {
  plan: CallPlan;
  model: LanguageModel;
  /** Asked where the first one fails. */
  fallback: LanguageModel | undefined;
  tools: ToolExecutor;
  clock: CallClock;
  onFailure(failure: AttemptFailure): void;
  /** Left out: its own. Shared with a brain that it stands in for. */
  history?: ModelHistory;
}): Brain<string> {
  const { plan, tools } = options;
  const { lines } = plan.language;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const instructions = callInstructions(plan);
  const { history = createModelHistory() } = options;
  const attempts = createModelAttempts({ ...options });
  let emptyInARow = 0;

  /** One request: yields sentences as they come and keeps them in `part`, with the tools the model wants. */
  async function* ask(request: {
    messages: ChatMessage[];
    part: Part;
    offerTools: boolean;
    mayBeEmpty: boolean;
    signal: AbortSignal;
  }): AsyncGenerator<string> {
    const { part } = request;
    // A model that is asked to go on often begins anew: nobody is to hear it twice.
    const heardAlready = new Set(part.said);
    const unheard = (sentences: string[]) => sentences.filter((sentence) => !heardAlready.has(sentence));
    const collector = createSpeechCollector(plan.language);
    const answer = attempts.answer({
      instructions,
      messages: request.messages,
      tools: request.offerTools ? [...tools.definitions] : [],
      signal: request.signal,
      mayBeEmpty: request.mayBeEmpty,
    });
    for await (const event of answer) {
      if (event.type === 'text') {
        const sentences = unheard(collector.push(event.delta));
        // The sentence takes a while to be whole: nobody has to fill the silence any more.
        if (sentences.length === 0 && part.said.length === 0) yield '';
        yield* keep(part.said, sentences);
      }
      if (event.type === 'tool_call') part.calls.push(event);
      if (event.type !== 'done') continue;
      usage.inputTokens += event.usage?.inputTokens ?? 0;
      usage.outputTokens += event.usage?.outputTokens ?? 0;
      // What a limit cut off in the middle is no sentence.
      if (event.finish !== 'length') yield* keep(part.said, unheard(collector.flush()));
      if (event.finish === 'filtered' && part.said.length === 0)
        throw new NoAnswer('filtered', { hadBegun: false, cause: undefined });
    }
    if (part.said.length === 0 && part.calls.length === 0 && !request.mayBeEmpty)
      throw new NoAnswer('empty', { hadBegun: false, cause: undefined });
  }

  /** Asks, and where the answer breaks off asks the model to go on. */
  async function* askOn(turn: Turn, offerTools: boolean): AsyncGenerator<string, Part> {
    const part: Part = { said: turn.takeBegun(), calls: [] };
    for (let breaks = 0; ; breaks += 1) {
      const messages = history.with(turn.unkept(), part.said);
      const mayBeEmpty = turn.said > 0;
      try {
        yield* turn.count(ask({ messages, part, offerTools, mayBeEmpty, signal: turn.signal }));
        return part;
      } catch (error) {
        turn.signal.throwIfAborted();
        const mayGoOn = error instanceof NoAnswer && error.hadBegun && breaks < MAX_BREAKS;
        if (!mayGoOn) throw error;
      }
    }
  }

  async function* answer(turn: Turn): AsyncGenerator<string> {
    let isLooping = false;
    for (let round = 0; round <= MAX_TOOL_ROUNDS; round += 1) {
      const { said, calls } = yield* askOn(turn, round < MAX_TOOL_ROUNDS && !isLooping);
      if (calls.length === 0) return;
      await turn.keep();
      const used: ChatMessage[] = [
        {
          role: 'assistant',
          content: said.join(' '),
          toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
        },
      ];
      isLooping = true;
      for (const call of calls) {
        const { result, isRepeated } = await turn.useTool(call);
        used.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(result) });
        isLooping &&= isRepeated;
        turn.isFinishing ||=
          (call.name === 'end_call' || call.name === 'transfer_call') && result.ok === true;
      }
      history.keepToolUse(used);
      // The goodbye is part of this reply: asking again would only add words after it.
      if (turn.isFinishing) return;
    }
  }

  async function* answerOrSay(turn: Turn): AsyncGenerator<string> {
    try {
      yield* answer(turn);
      if (turn.said > 0 || turn.isFinishing) emptyInARow = 0;
      else yield* sayInstead(new NoAnswer('empty', { hadBegun: false, cause: undefined }), turn);
    } catch (error) {
      if (turn.signal.aborted || !(error instanceof NoAnswer)) throw error;
      yield* sayInstead(error, turn);
    }
  }

  /** A model that works but has nothing to say is no reason to hang up, once. */
  function* sayInstead(error: NoAnswer, { hasFailedTool }: Turn): Generator<string> {
    if (error.kind === 'filtered' || (error.kind === 'empty' && hasFailedTool))
      return yield lines.cannotAnswer;
    emptyInARow += 1;
    if (error.kind !== 'empty' || emptyInARow > 1) throw error;
    yield lines.sayAgain;
  }

  return {
    beginsEarly: true,
    async *respond(asked) {
      history.forgetUnheard();
      yield* limitLength(answerOrSay(createTurn(asked, history.hear)), lines.shallIGoOn);
    },
    noteAgentSaid: history.say,
    recover(finish, reason) {
      history.note(`[The transfer failed: ${reason}. Apologise and offer to take a message.]`);
      return finish.kind === 'transfer' ? lines.transferFailed : lines.sayAgain;
    },
    usage,
  };
}

function* keep(said: string[], sentences: readonly string[]): Generator<string> {
  for (const sentence of sentences) {
    said.push(sentence);
    yield sentence;
  }
}
