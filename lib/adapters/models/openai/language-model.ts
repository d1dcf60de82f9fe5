import OpenAI from 'openai';
import type {
  ChatMessage,
  LanguageModel,
  ModelEvent,
  ModelUsage,
  ToolDefinition,
} from '#lib/ports/language-model.ts';
import { fetchInTrace } from '#lib/trace/outgoing.ts';
import { asProviderFailure, BrokenAnswer } from './failure.ts';
import { createJsonRequests } from './json-request.ts';
import { type AnswerBeginning, createReasoningFilter } from './reasoning.ts';

type Wire = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;
type Delta = Chunk['choices'][number]['delta'];

/** A server that has not begun to answer by then never will; a call on real time has given up before. */
const FIRST_ANSWER_MS = 15_000;
/** The longest pause between two parts of an answer. */
const STALL_MS = 10_000;
const JSON_ANSWER_MS = 60_000;
const JSON_RETRIES = 2;

export type OpenAiLanguageModelOptions = {
  apiKey: string;
  /** Of a compatible server, with its `/v1`; undefined = OpenAI. */
  baseUrl: string | undefined;
  model: string;
  /** For tests. */
  stallMs?: number;
};

/**
 * Chat completions of OpenAI or any compatible server. A reply is asked for once; JSON, for which nobody waits on the
 * line, twice more after rate limits, server errors and lost connections, with the server's `Retry-After`, and less
 * strictly of a server that refuses a schema.
 */
export function createOpenAiLanguageModel(options: OpenAiLanguageModelOptions): LanguageModel {
  const { model, stallMs = STALL_MS } = options;
  let beginning: AnswerBeginning = 'unknown';
  const client = new OpenAI({
    fetch: fetchInTrace,
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: JSON_RETRIES,
    // The SDK would write what it could not parse to the console: parts of people's calls.
    logLevel: 'off',
  });

  const askForJson = createJsonRequests(model);

  async function* respond(request: Parameters<LanguageModel['respond']>[0]): AsyncGenerator<ModelEvent> {
    const stall = createStallGuard(stallMs, request.signal);
    const filter = createReasoningFilter({ beginning });
    try {
      const chunks = await client.chat.completions.create(
        {
          model,
          messages: [{ role: 'system', content: request.instructions }, ...request.messages.map(toWire)],
          ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toWireTool) }),
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal: stall.signal, timeout: FIRST_ANSWER_MS, maxRetries: 0 },
      );
      yield* readChunks(chunks, stall, filter);
      beginning = filter.hasLoneClosing() ? 'in_thought' : 'plain';
    } catch (error) {
      throw failure(error, request.signal);
    } finally {
      stall.stop();
    }
  }

  async function completeJson(request: Parameters<LanguageModel['completeJson']>[0]) {
    try {
      const settings = { timeout: JSON_ANSWER_MS, ...(request.signal ? { signal: request.signal } : {}) };
      const completion = await askForJson(request, (body) => client.chat.completions.create(body, settings));
      const choice = completion.choices?.[0];
      if (choice?.message.refusal) throw new BrokenAnswer('refused', 'the model refused to answer');
      if (choice?.finish_reason === 'length') throw new BrokenAnswer('broke_off', 'the answer was cut off');
      const value: unknown = JSON.parse(withoutReasoning(choice?.message.content ?? ''));
      return { value, usage: toUsage(completion.usage) };
    } catch (error) {
      throw failure(error, request.signal);
    }
  }

  return { model, respond, completeJson };
}

type PartialCall = { id: string; name: string; arguments: string };

async function* readChunks(
  chunks: AsyncIterable<Chunk>,
  stall: StallGuard,
  filter: ReturnType<typeof createReasoningFilter>,
): AsyncGenerator<ModelEvent> {
  const calls = new Map<number, PartialCall>();
  let usage: ModelUsage | undefined;
  let finish: string | undefined;
  stall.restart();
  for await (const chunk of chunks) {
    // While the reader is busy (speaking, using tools) the server is not to blame.
    stall.stop();
    usage = toUsage(chunk.usage) ?? usage;
    const choice = chunk.choices?.[0];
    yield* readDelta(choice?.delta, filter);
    for (const part of choice?.delta?.tool_calls ?? []) {
      collectCall(calls, part);
      yield { type: 'working' };
    }
    finish = choice?.finish_reason ?? finish;
    stall.restart();
  }
  // Also the end of the stream after an abort: the SDK then ends it without an error.
  stall.signal.throwIfAborted();
  if (finish === undefined) throw new BrokenAnswer('broke_off', 'the answer broke off');
  const rest = filter.flush();
  if (rest !== '' && finish !== 'length') yield { type: 'text', delta: rest };
  for (const [, call] of [...calls].toSorted(([one], [other]) => one - other)) {
    // Arguments that were cut off must not be acted on.
    if (call.name !== '' && finish !== 'length') yield { type: 'tool_call', ...call };
  }
  const special = FINISHES[finish];
  yield { type: 'done', usage, ...(special ? { finish: special } : {}) };
}

const FINISHES: Record<string, 'length' | 'filtered'> = {
  length: 'length',
  content_filter: 'filtered',
  refusal: 'filtered',
  safety: 'filtered',
};

/** Some servers stream their text in typed parts, and their reasoning in fields of its own. */
type LooseDelta = Omit<Delta, 'content'> & {
  content?: string | null | { type?: string; text?: string }[];
  reasoning?: unknown;
  reasoning_content?: unknown;
};

function* readDelta(
  delta: LooseDelta | undefined,
  filter: ReturnType<typeof createReasoningFilter>,
): Generator<ModelEvent> {
  if (!delta) return;
  const { content } = delta;
  const text = Array.isArray(content)
    ? content.map((part) => (part.type === 'text' ? (part.text ?? '') : '')).join('')
    : (content ?? '');
  const shown = text === '' ? '' : filter.push(text);
  if (shown !== '') yield { type: 'text', delta: shown };
  const isThinking = text !== '' || Array.isArray(content) || delta.reasoning || delta.reasoning_content;
  if (shown === '' && isThinking) yield { type: 'working' };
}

function withoutReasoning(content: string): string {
  const filter = createReasoningFilter();
  const shown = filter.push(content) + filter.flush();
  return shown.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, '');
}

type CallPart = NonNullable<Chunk['choices'][number]['delta']['tool_calls']>[number];

/** A tool call comes in parts: id and name first, then its arguments as pieces of text. */
function collectCall(calls: Map<number, PartialCall>, part: CallPart): void {
  // Some compatible servers leave the index out where there is one call only.
  const index = part.index ?? 0;
  const call = calls.get(index) ?? { id: `call_${index}`, name: '', arguments: '' };
  if (part.id) call.id = part.id;
  if (part.function?.name) call.name = part.function.name;
  call.arguments += part.function?.arguments ?? '';
  calls.set(index, call);
}

function toWire(message: ChatMessage): Wire {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const calls = message.toolCalls?.map((call) => ({
        id: call.id,
        type: 'function' as const,
        function: { name: call.name, arguments: call.arguments },
      }));
      if (!calls || calls.length === 0) return { role: 'assistant', content: message.content };
      return {
        role: 'assistant',
        content: message.content === '' ? null : message.content,
        tool_calls: calls,
      };
    }
  }
}

function toWireTool(tool: ToolDefinition): OpenAI.Chat.Completions.ChatCompletionTool {
  return {
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: tool.parameters },
  };
}

function toUsage(usage: OpenAI.CompletionUsage | null | undefined): ModelUsage | undefined {
  return usage
    ? { inputTokens: usage.prompt_tokens ?? 0, outputTokens: usage.completion_tokens ?? 0 }
    : undefined;
}

function failure(error: unknown, signal: AbortSignal | undefined): unknown {
  return asProviderFailure('The language model', error, signal);
}

type StallGuard = ReturnType<typeof createStallGuard>;

/** Aborts when nothing happens for `stallMs` between `restart` and `stop`, or when `outer` does. */
function createStallGuard(stallMs: number, outer: AbortSignal | undefined) {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    signal: outer ? AbortSignal.any([outer, stalled.signal]) : stalled.signal,
    stop,
    restart() {
      stop();
      timer = setTimeout(() => stalled.abort(new BrokenAnswer('timed_out', 'the answer stalled')), stallMs);
    },
  };
}
