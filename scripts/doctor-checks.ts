import { createOpenAiEmbedder } from '#lib/adapters/models/openai/embedder.ts';
import { createOpenAiLanguageModel } from '#lib/adapters/models/openai/language-model.ts';
import type { Env } from '#lib/env.ts';
import { checksOfRealtime } from './doctor-realtime.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { LanguageModel, ToolDefinition } from '#lib/ports/language-model.ts';
import { type ProviderFailureKind, providerFailureOf } from '#lib/ports/provider-failure.ts';
import { type Check, stopwatch } from './doctor-check.ts';
import { checksOfSpeech } from './doctor-speech.ts';
import { checksOfTranscription } from './doctor-transcription.ts';

/** What one part of the set-up can do, in a sentence for whoever runs the service. */
export type Finding = { part: string; isOk: boolean; sentence: string };

/** Longer than anything that is of use on a call. */
const CHECK_MS = 30_000;
/** A filler is said after this. */
const SLOW_WORD_MS = 1_200;

const TOOL: ToolDefinition = {
  name: 'note_day',
  description: 'Notes the day on which the person wants to come.',
  parameters: {
    type: 'object',
    properties: { day: { type: 'string' } },
    required: ['day'],
    additionalProperties: false,
  },
};
const SCHEMA = {
  type: 'object',
  properties: { isFriendly: { type: 'boolean' } },
  required: ['isFriendly'],
  additionalProperties: false,
};

const ADVICE: Partial<Record<ProviderFailureKind, string>> = {
  bad_key: 'The key is refused: set another OPENAI_API_KEY.',
  no_credit: 'The account has no credit left.',
  no_such_model: 'The server knows no model of this name.',
  no_connection: 'The server cannot be reached: check OPENAI_BASE_URL.',
  rate_limited: 'The server takes no more requests at the moment.',
  timed_out: 'It did not answer in time.',
};

/** Asks every model that the environment names, one after the other, so that each is timed by itself. */
export async function examine(
  openai: NonNullable<Env['openai']>,
  { clock, onFinding }: { clock: Clock; onFinding(finding: Finding): void },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checksOf(openai, clock)) {
    const finding = await carryOut(check);
    onFinding(finding);
    findings.push(finding);
  }
  return findings;
}

async function carryOut({ part, run }: Check): Promise<Finding> {
  try {
    return { part, isOk: true, sentence: await run(AbortSignal.timeout(CHECK_MS)) };
  } catch (error) {
    const { kind } = providerFailureOf(error);
    const reason = error instanceof Error ? error.message : String(error);
    const isProvider = typeof error === 'object' && error !== null && 'details' in error;
    const advice = isProvider ? ADVICE[kind] : undefined;
    return { part, isOk: false, sentence: advice ? `${advice} (${reason})` : reason };
  }
}

function checksOf(openai: NonNullable<Env['openai']>, clock: Clock): Check[] {
  const chat = createOpenAiLanguageModel({ ...openai, model: openai.chatModel });
  const fallback = openai.fallbackModel
    ? createOpenAiLanguageModel({ ...openai, model: openai.fallbackModel })
    : undefined;
  return [
    ...checksOfModel(chat, 'CHAT_MODEL', clock),
    ...(fallback ? checksOfModel(fallback, 'CHAT_MODEL_FALLBACK', clock) : []),
    ...checksOfRealtime(openai, clock),
    { part: `EMBEDDING_MODEL ${openai.embeddingModel}`, run: (signal) => embed(openai, clock, signal) },
    ...checksOfSpeech(openai, clock),
    ...checksOfTranscription(openai, clock),
  ];
}

function checksOfModel(model: LanguageModel, variable: string, clock: Clock): Check[] {
  const part = `${variable} ${model.model}`;
  return [
    { part, run: (signal) => converse(model, clock, signal) },
    { part: `${part}, tools`, run: (signal) => useTool(model, signal) },
    { part: `${part}, JSON`, run: (signal) => answerJson(model, clock, signal) },
  ];
}

async function converse(model: LanguageModel, clock: Clock, signal: AbortSignal): Promise<string> {
  const elapsedMs = stopwatch(clock);
  let firstWordMs: number | undefined;
  let parts = 0;
  const instructions = 'You speak on the phone. Answer in one short sentence.';
  const messages = [{ role: 'user' as const, content: 'Hello, can you hear me?' }];
  for await (const event of model.respond({ instructions, messages, tools: [], signal })) {
    if (event.type !== 'text' || event.delta.trim() === '') continue;
    firstWordMs ??= elapsedMs();
    parts += 1;
  }
  if (firstWordMs === undefined) throw new Error('It answered without a word.');
  const speed = `It answers: the first word came after ${firstWordMs} ms, the whole sentence after ${elapsedMs()} ms.`;
  const slow =
    firstWordMs > SLOW_WORD_MS
      ? ' That is slow for a call: people hear a filler before each answer. A model that thinks first, or one far away, is slow.'
      : '';
  const whole = parts === 1 ? ' It came in one piece, so speech begins only when all of it is written.' : '';
  return speed + slow + whole;
}

async function useTool(model: LanguageModel, signal: AbortSignal): Promise<string> {
  const instructions = `Use the tool ${TOOL.name} whenever a person names a day.`;
  const messages = [{ role: 'user' as const, content: 'I would like to come on Tuesday.' }];
  for await (const event of model.respond({ instructions, messages, tools: [TOOL], signal })) {
    if (event.type !== 'tool_call') continue;
    const args: unknown = JSON.parse(event.arguments);
    if (typeof args === 'object' && args !== null && 'day' in args) return 'It uses tools.';
    throw new Error('It uses tools with arguments that do not fit: agents book and transfer unreliably.');
  }
  throw new Error('It used no tool: agents can neither book, search, transfer nor hang up by themselves.');
}

async function answerJson(model: LanguageModel, clock: Clock, signal: AbortSignal): Promise<string> {
  const elapsedMs = stopwatch(clock);
  const { value } = await model.completeJson({
    instructions: 'Judge whether the caller is friendly.',
    input: 'Caller: Thank you so much, that is lovely!',
    schemaName: 'judgement',
    schema: SCHEMA,
    signal,
  });
  if (typeof value !== 'object' || value === null || !('isFriendly' in value))
    throw new Error('Its JSON does not follow the schema: conversations are summed up by rules instead.');
  return `It answers JSON by a schema, after ${elapsedMs()} ms.`;
}

async function embed(openai: NonNullable<Env['openai']>, clock: Clock, signal: AbortSignal): Promise<string> {
  const elapsedMs = stopwatch(clock);
  const embedder = createOpenAiEmbedder({ ...openai, model: openai.embeddingModel, clock });
  const [vector, other] = await embedder.embed(['Where can I park?', 'The soup was cold.'], signal);
  if (vector?.every((value, at) => value === other?.[at]))
    throw new Error('It gives the same vector for different sentences: nothing can be found by them.');
  return `It gives vectors of ${vector?.length ?? 0} dimensions, after ${elapsedMs()} ms.`;
}
