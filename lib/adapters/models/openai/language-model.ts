import OpenAI from 'openai';
import { AppError } from '#lib/errors.ts';
import type {
  ChatMessage,
  LanguageModel,
  ModelEvent,
  ModelUsage,
  ToolDefinition,
} from '#lib/ports/language-model.ts';

type Wire = OpenAI.Chat.Completions.ChatCompletionMessageParam;
type Chunk = OpenAI.Chat.Completions.ChatCompletionChunk;

/** A person waits on the line: a server that has not begun to answer by then has failed. */
const FIRST_ANSWER_MS = 15_000;
/** The longest pause between two parts of an answer. */
const STALL_MS = 10_000;
const JSON_ANSWER_MS = 60_000;
const MAX_RETRIES = 2;

export type OpenAiLanguageModelOptions = {
  apiKey: string;
  /** Of a compatible server, with its `/v1`; undefined = OpenAI. */
  baseUrl: string | undefined;
  model: string;
  /** For tests. */
  stallMs?: number;
};

/**
 * Chat completions of OpenAI or any compatible server. Rate limits, server errors and lost connections are retried
 * twice, with the server's `Retry-After`, before anything was received; a stream that breaks off is not.
 */
export function createOpenAiLanguageModel(options: OpenAiLanguageModelOptions): LanguageModel {
  const { model, stallMs = STALL_MS } = options;
  const client = new OpenAI({
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: MAX_RETRIES,
    // The SDK would write what it could not parse to the console: parts of people's calls.
    logLevel: 'off',
  });

  async function* respond(request: Parameters<LanguageModel['respond']>[0]): AsyncGenerator<ModelEvent> {
    const stall = createStallGuard(stallMs, request.signal);
    try {
      const chunks = await client.chat.completions.create(
        {
          model,
          messages: [{ role: 'system', content: request.instructions }, ...request.messages.map(toWire)],
          ...(request.tools.length === 0 ? {} : { tools: request.tools.map(toWireTool) }),
          stream: true,
          stream_options: { include_usage: true },
        },
        { signal: stall.signal, timeout: FIRST_ANSWER_MS },
      );
      yield* readChunks(chunks, stall);
    } catch (error) {
      throw asProviderFailure(error, request.signal);
    } finally {
      stall.stop();
    }
  }

  async function completeJson(request: Parameters<LanguageModel['completeJson']>[0]) {
    try {
      const completion = await client.chat.completions.create(
        {
          model,
          messages: [
            { role: 'system', content: request.instructions },
            { role: 'user', content: request.input },
          ],
          response_format: {
            type: 'json_schema',
            json_schema: { name: request.schemaName, schema: request.schema, strict: true },
          },
        },
        { timeout: JSON_ANSWER_MS, ...(request.signal ? { signal: request.signal } : {}) },
      );
      const choice = completion.choices?.[0];
      if (choice?.message.refusal) throw new Error('the model refused to answer');
      if (choice?.finish_reason === 'length') throw new Error('the answer was cut off');
      const value: unknown = JSON.parse(choice?.message.content ?? '');
      return { value, usage: toUsage(completion.usage) };
    } catch (error) {
      throw asProviderFailure(error, request.signal);
    }
  }

  return { model, respond, completeJson };
}

type PartialCall = { id: string; name: string; arguments: string };

async function* readChunks(chunks: AsyncIterable<Chunk>, stall: StallGuard): AsyncGenerator<ModelEvent> {
  const calls = new Map<number, PartialCall>();
  let usage: ModelUsage | undefined;
  let isFinished = false;
  stall.restart();
  for await (const chunk of chunks) {
    // While the reader is busy (speaking, using tools) the server is not to blame.
    stall.stop();
    usage = toUsage(chunk.usage) ?? usage;
    const choice = chunk.choices?.[0];
    if (choice?.delta?.content) yield { type: 'text', delta: choice.delta.content };
    for (const part of choice?.delta?.tool_calls ?? []) collectCall(calls, part);
    if (choice?.finish_reason) isFinished = true;
    stall.restart();
  }
  // Also the end of the stream after an abort: the SDK then ends it without an error.
  stall.signal.throwIfAborted();
  if (!isFinished) throw new Error('the answer broke off');
  for (const [, call] of [...calls].toSorted(([one], [other]) => one - other)) {
    if (call.name !== '') yield { type: 'tool_call', ...call };
  }
  yield { type: 'done', usage };
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

/** The caller's own abort stays what it is; everything else is the provider's failure. */
function asProviderFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('PROVIDER_FAILED', `The language model did not answer: ${reason}`, { cause: error });
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
      timer = setTimeout(() => stalled.abort(new Error('the answer stalled')), stallMs);
    },
  };
}
