import type { Logger } from '#lib/log.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { Finish } from '#lib/engine/tools/tool.ts';
import type { ChatMessage, LanguageModel, ModelEvent } from '#lib/ports/language-model.ts';
import type { Brain, BrainTurn } from './brain.ts';
import { createSentenceCollector } from './sentences.ts';
import { toSpokenText } from './spoken-text.ts';

/** So often may one reply use tools before it has to be spoken. */
const MAX_TOOL_ROUNDS = 4;
/** To the model, after its answer broke off in the middle. */
const GO_ON = '[Your answer broke off here. Go on from there without repeating anything.]';
const APOLOGY = "I'm sorry, one moment please.";

type ToolCall = Extract<ModelEvent, { type: 'tool_call' }>;

/**
 * A brain that asks a language model: speaks sentence by sentence while the answer streams in, and runs the tools the
 * model uses. Its history holds what was heard, not what was meant to be said. When the provider fails it apologises
 * once and tries again once; then `respond` throws and the call ends politely.
 */
export function createModelBrain(options: {
  plan: CallPlan;
  model: LanguageModel;
  tools: ToolExecutor;
  log: Logger;
}): Brain {
  const { plan, model, tools, log } = options;
  const usage = { inputTokens: 0, outputTokens: 0 };
  const instructions = `${plan.prompt.instructions}\n\n${situationNote(plan)}`;
  const history: ChatMessage[] = [];
  const unconfirmed: ChatMessage[] = [];

  function remember(message: ChatMessage): void {
    const last = history.at(-1);
    if (message.role === 'user' && last?.role === 'user') last.content += `\n${message.content}`;
    else history.push(message);
  }

  /** One request: yields sentences, returns the tools the model wants. */
  async function* ask(
    messages: ChatMessage[],
    signal: AbortSignal,
    offerTools: boolean,
  ): AsyncGenerator<string, ToolCall[]> {
    const collector = createSentenceCollector();
    const calls: ToolCall[] = [];
    const events = model.respond({
      instructions,
      messages,
      tools: offerTools ? [...tools.definitions] : [],
      signal,
    });
    for await (const event of events) {
      if (event.type === 'text') yield* spoken(collector.push(event.delta));
      if (event.type === 'tool_call') calls.push(event);
      if (event.type === 'done' && event.usage) {
        usage.inputTokens += event.usage.inputTokens;
        usage.outputTokens += event.usage.outputTokens;
      }
    }
    yield* spoken(collector.flush());
    return calls;
  }

  async function* answer(turn: BrainTurn, said: string[]): AsyncGenerator<string> {
    const working: ChatMessage[] =
      said.length > 0
        ? [
            { role: 'assistant', content: said.join(' ') },
            { role: 'user', content: GO_ON },
          ]
        : [];
    const shown = working.length;
    for (let round = 0; round <= MAX_TOOL_ROUNDS; round += 1) {
      const sentences: string[] = [];
      const request = ask([...history, ...working], turn.signal, round < MAX_TOOL_ROUNDS);
      let next = await request.next();
      while (!next.done) {
        sentences.push(next.value);
        said.push(next.value);
        yield next.value;
        next = await request.next();
      }
      const calls = next.value;
      if (calls.length === 0) return;
      working.push({
        role: 'assistant',
        content: sentences.join(' '),
        toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
      });
      let isFinishing = false;
      for (const call of calls) {
        const result = await runTool(turn, call);
        working.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(result) });
        isFinishing ||= (call.name === 'end_call' || call.name === 'transfer_call') && result.ok === true;
      }
      keepToolUse(working.splice(shown));
      // The goodbye is part of this reply: asking again would only add words after it.
      if (isFinishing) return;
    }
  }

  /** Tools that were used stay in the history at once: what they did holds even when the reply is interrupted. */
  function keepToolUse(used: ChatMessage[]): void {
    for (const message of used) {
      history.push(message);
      if (message.role === 'assistant') unconfirmed.push(message);
    }
  }

  /** What was meant to be said beside a tool is in the history until it is known what was heard of the reply. */
  function forgetUnheard(): void {
    for (const message of unconfirmed.splice(0)) message.content = '';
  }

  async function runTool(turn: BrainTurn, call: ToolCall): Promise<Record<string, unknown>> {
    turn.signal.throwIfAborted();
    let args: unknown;
    try {
      args = JSON.parse(call.arguments === '' ? '{}' : call.arguments);
    } catch {
      return { ok: false, reason: 'the arguments are not valid JSON' };
    }
    return turn.useTool(call.name, args);
  }

  return {
    async *respond(turn) {
      forgetUnheard();
      remember({ role: 'user', content: turn.heard });
      const said: string[] = [];
      try {
        yield* answer(turn, said);
      } catch (error) {
        if (turn.signal.aborted) throw error;
        log.warn({ callId: plan.callId, err: error }, 'The language model failed, trying once more');
        if (said.length === 0) yield APOLOGY;
        yield* answer(turn, said);
      }
    },
    noteAgentSaid(text) {
      forgetUnheard();
      if (text !== '') history.push({ role: 'assistant', content: text });
    },
    recover(finish: Finish, reason) {
      history.push({
        role: 'user',
        content: `[The transfer failed: ${reason}. Apologise and offer to take a message.]`,
      });
      return finish.kind === 'transfer'
        ? "I'm sorry, none of my colleagues is available right now. May I take a message?"
        : APOLOGY;
    },
    usage,
  };
}

function* spoken(sentences: string[]): Generator<string> {
  for (const sentence of sentences) {
    const text = toSpokenText(sentence);
    if (text !== '') yield text;
  }
}

/** What no prompt can know: when the call takes place. */
function situationNote(plan: CallPlan): string {
  const now = new Intl.DateTimeFormat('en-US', {
    timeZone: plan.timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  })
    .format(plan.startedAt)
    .replace(/\s/g, ' ');
  return `The call began on ${now} (time zone ${plan.timeZone}).`;
}
