import { dateFormat } from '#lib/date-format.ts';
import { toolRules } from '#lib/engine/brain/call-instructions.ts';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { createModelAttempts } from '#lib/engine/brain/model-attempts.ts';
import { NoAnswer } from '#lib/engine/brain/model-attempts.ts';
import type { ToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { ChatMessage, ModelEvent, ModelUsage } from '#lib/ports/language-model.ts';

/** So often may one answer use tools before it has to be written. */
const MAX_TOOL_ROUNDS = 4;
/** So often may one answer break off in the middle. */
const MAX_BREAKS = 2;
/** Nobody reads more of one answer. */
const MAX_CHARACTERS = 8_000;
const GO_ON = '[Your answer broke off here. Go on from there without repeating anything.]';

type ToolCall = Extract<ModelEvent, { type: 'tool_call' }>;
type UseTool = (name: string, rawArguments: unknown) => Promise<Record<string, unknown>>;
type Part = { said: string; calls: ToolCall[] };

export type ModelAnswerOptions = {
  plan: CallPlan;
  /** Everything until now, the person's last message included. */
  messages: ChatMessage[];
  /** The moment of the person's message. */
  now: Date;
  attempts: ReturnType<typeof createModelAttempts>;
  tools: ToolExecutor;
  useTool: UseTool;
  /** Grows while the answer is made. */
  usage: ModelUsage;
  signal: AbortSignal;
};

/**
 * One answer of a language model as it writes it, piece by piece, with the tools it uses on the way. What fails is tried
 * again and with the fallback model (brain/model-attempts.ts); throws `NoAnswer` where nothing could be written, and ends
 * early where an answer broke off for good.
 */
export async function* answerByModel(options: ModelAnswerOptions): AsyncGenerator<string> {
  const messages = [...options.messages];
  const used = new Set<string>();
  let written = 0;
  for (let round = 0; round <= MAX_TOOL_ROUNDS; round += 1) {
    const part: Part = { said: '', calls: [] };
    for await (const piece of askOn(options, {
      messages,
      part,
      offerTools: round < MAX_TOOL_ROUNDS,
      written,
    })) {
      // Words before a tool and after it are paragraphs of one answer.
      if (written > 0 && part.said === piece) yield '\n\n';
      written += piece.length;
      yield piece;
      if (written > MAX_CHARACTERS) return;
    }
    if (part.calls.length === 0) return;
    const calls = part.calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args }));
    messages.push({ role: 'assistant', content: part.said, toolCalls: calls });
    const results = await useTools(part.calls, used, options.useTool);
    messages.push(...results.messages);
    // The goodbye is part of this answer: asking again would only add words after it.
    if (results.isLast) return;
  }
}

/** Asks, and where the answer breaks off asks the model to go on. */
async function* askOn(
  options: ModelAnswerOptions,
  asked: { messages: ChatMessage[]; part: Part; offerTools: boolean; written: number },
): AsyncGenerator<string> {
  const { part } = asked;
  for (let breaks = 0; ; breaks += 1) {
    const begun: ChatMessage[] =
      part.said === ''
        ? []
        : [
            { role: 'assistant', content: part.said },
            { role: 'user', content: GO_ON },
          ];
    try {
      yield* ask(options, { ...asked, messages: [...asked.messages, ...begun] });
      return;
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof NoAnswer)) throw error;
      if (error.hadBegun && breaks < MAX_BREAKS) continue;
      // What was written stays: the person sees where it ends and can ask on.
      if (asked.written + part.said.length > 0) return;
      throw error;
    }
  }
}

async function* ask(
  { plan, now, attempts, tools, usage, signal }: ModelAnswerOptions,
  {
    messages,
    part,
    offerTools,
    written,
  }: { messages: ChatMessage[]; part: Part; offerTools: boolean; written: number },
): AsyncGenerator<string> {
  const answer = attempts.answer({
    instructions: [plan.prompt.instructions, ...toolRules(plan), situationNote(plan, now)].join('\n\n'),
    messages,
    tools: offerTools ? [...tools.definitions] : [],
    signal,
    mayBeEmpty: written > 0,
  });
  for await (const event of answer) {
    if (event.type === 'text') {
      const text = part.said === '' ? event.delta.trimStart() : event.delta;
      if (text === '') continue;
      part.said += text;
      yield text;
    }
    if (event.type === 'tool_call') part.calls.push(event);
    if (event.type !== 'done') continue;
    usage.inputTokens += event.usage?.inputTokens ?? 0;
    usage.outputTokens += event.usage?.outputTokens ?? 0;
  }
}

/** A tool used again with the same arguments would give the same result, in a loop. */
async function useTools(calls: readonly ToolCall[], used: Set<string>, useTool: UseTool) {
  const messages: ChatMessage[] = [];
  let isLast = false;
  for (const call of calls) {
    const key = `${call.name} ${call.arguments}`;
    const result = used.has(key)
      ? { ok: false, reason: 'you have just used this; answer now' }
      : await useOnce(call, useTool);
    used.add(key);
    messages.push({ role: 'tool', toolCallId: call.id, content: JSON.stringify(result) });
    isLast ||= call.name === 'end_call' && result['ok'] === true;
  }
  return { messages, isLast };
}

async function useOnce(call: ToolCall, useTool: UseTool): Promise<Record<string, unknown>> {
  let args: unknown;
  try {
    args = JSON.parse(call.arguments === '' ? '{}' : call.arguments);
  } catch {
    return { ok: false, reason: 'the arguments are not valid JSON' };
  }
  return useTool(call.name, args);
}

/** What no prompt can know: what time it is. */
function situationNote({ timeZone }: CallPlan, now: Date): string {
  const moment = dateFormat({ timeZone, dateStyle: 'full', timeStyle: 'short' })
    .format(now)
    .replace(/\s/g, ' ');
  return `It is ${moment} (time zone ${timeZone}).`;
}
