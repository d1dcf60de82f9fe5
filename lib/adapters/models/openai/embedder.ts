import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from 'openai';
import { z } from 'zod';
import type { Clock } from '#lib/ports/clock.ts';
import type { Embedder } from '#lib/ports/embedder.ts';
import { fetchInTrace } from '#lib/trace/outgoing.ts';

const DIMENSIONS = 3072;
const embeddings = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })),
});
/** The public API takes 300,000 tokens and 2,048 texts per request; smaller batches lose less when one is refused. */
const BATCH_TOKENS = 60_000;
const BATCH_TEXTS = 128;
/** A text above the model's limit of 8,191 tokens would fail its whole batch. */
const TEXT_TOKENS = 8_000;
const MAX_TRIES = 6;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
const REQUEST_TIMEOUT_MS = 60_000;

export type OpenAiEmbedderOptions = {
  apiKey: string;
  baseUrl: string | undefined;
  model: string;
  clock: Clock;
};

/** Why no vectors came, in a sentence for people. Recognised by its name, as classes differ between module copies. */
export class EmbeddingFailed extends Error {
  constructor(reason: string, options?: { cause: unknown }) {
    super(reason, options);
    this.name = 'EmbeddingFailed';
  }
}

/**
 * Embeds through any OpenAI-compatible server. Batches stay within the token limits; 429, 5xx and lost connections
 * are tried again with growing waits (the server's Retry-After where it gives one). Throws EmbeddingFailed.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const client = new OpenAI({
    fetch: fetchInTrace,
    apiKey: options.apiKey,
    ...(options.baseUrl ? { baseURL: options.baseUrl } : {}),
    // Retries are our own, on the injected clock.
    maxRetries: 0,
    timeout: REQUEST_TIMEOUT_MS,
  });

  async function embedBatch(texts: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        const input = {
          model: options.model,
          input: texts,
          dimensions: DIMENSIONS,
          encoding_format: 'float' as const,
        };
        const answer = await client.embeddings.create(input, signal ? { signal } : {});
        return vectorsOf(answer, texts.length, options.model);
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (error instanceof EmbeddingFailed) throw error;
        if (attempt === MAX_TRIES || !isWorthRetrying(error)) throw explain(error, options.model);
        await options.clock.sleep(waitMs(error, attempt), signal);
      }
    }
  }

  return {
    model: options.model,
    dimensions: DIMENSIONS,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (const batch of batchesOf(texts)) vectors.push(...(await embedBatch(batch, signal)));
      return vectors;
    },
  };
}

/** Consecutive texts, as many as fit. An empty text is refused by the API, a blank one is not. */
export function batchesOf(texts: string[]): string[][] {
  const batches: string[][] = [];
  let tokens = 0;
  for (const text of texts) {
    const fitting = shortened(text);
    const size = tokensOf(fitting);
    const current = batches.at(-1);
    if (current && current.length < BATCH_TEXTS && tokens + size <= BATCH_TOKENS) {
      current.push(fitting);
      tokens += size;
    } else {
      batches.push([fitting]);
      tokens = size;
    }
  }
  return batches;
}

/** An upper bound without a tokenizer: one token per three Latin characters, one and a half per other character. */
function tokensOf(text: string): number {
  const other = text.replace(/[\p{ASCII}\p{Script=Latin}]/gu, '').length;
  return Math.ceil((text.length - other) / 3 + other * 1.5);
}

function shortened(text: string): string {
  const whole = text.trim() === '' ? ' ' : text;
  const tokens = tokensOf(whole);
  return tokens <= TEXT_TOKENS
    ? whole
    : whole.slice(0, Math.floor((whole.length * TEXT_TOKENS) / tokens)).toWellFormed();
}

/** The client passes on whatever the server answers. */
function vectorsOf(answer: unknown, count: number, model: string): Float32Array[] {
  const parsed = embeddings.safeParse(answer);
  if (!parsed.success) throw noVectors(model, parsed.error);
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count });
  for (const item of parsed.data.data) {
    const { length } = item.embedding;
    if (length !== DIMENSIONS)
      throw new EmbeddingFailed(
        `The model ${model} answered with vectors of ${length} dimensions instead of ${DIMENSIONS}. Set EMBEDDING_MODEL to one that can give ${DIMENSIONS}.`,
      );
    vectors[item.index] = unitLength(item.embedding, model);
  }
  if (vectors.some((vector) => vector === undefined))
    throw new EmbeddingFailed(`The model ${model} answered with too few vectors. Try again.`);
  return vectors.filter((vector) => vector !== undefined);
}

function noVectors(model: string, cause: unknown): EmbeddingFailed {
  return new EmbeddingFailed(
    `The embedding server answered with something else than the vectors of ${model}. Check OPENAI_BASE_URL and EMBEDDING_MODEL.`,
    { cause },
  );
}

function unitLength(values: number[], model: string): Float32Array {
  const length = Math.hypot(...values);
  if (!Number.isFinite(length) || length === 0)
    throw new EmbeddingFailed(`The model ${model} answered with a vector that is no direction. Try again.`);
  return Float32Array.from(values, (value) => value / length);
}

function isWorthRetrying(error: unknown): boolean {
  if (error instanceof APIUserAbortError) return false;
  if (error instanceof APIConnectionError) return true;
  if (!(error instanceof APIError)) return false;
  // An exhausted account answers 429 as well, and will go on doing so.
  if (error.code === 'insufficient_quota') return false;
  const status = Number(error.status ?? 0);
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/** What the server asks for, or twice as long with every try. */
function waitMs(error: unknown, attempt: number): number {
  const headers = error instanceof APIError ? error.headers : undefined;
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return Math.min(milliseconds, LONGEST_WAIT_MS);
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  if (seconds >= 0) return Math.min(seconds * 1_000, LONGEST_WAIT_MS);
  return Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_WAIT_MS);
}

function explain(error: unknown, model: string): EmbeddingFailed {
  if (error instanceof SyntaxError) return noVectors(model, error);
  const status = error instanceof APIError ? error.status : undefined;
  if (status === 401 || status === 403)
    return new EmbeddingFailed(
      'The embedding server refused the API key. Check OPENAI_API_KEY, then try again.',
      { cause: error },
    );
  if (status === 404)
    return new EmbeddingFailed(
      `The embedding server does not know the model ${model}. Check EMBEDDING_MODEL, then try again.`,
      { cause: error },
    );
  if (status === 429)
    return new EmbeddingFailed(
      'The embedding server answers that its limit or the account is used up. Try again later.',
      { cause: error },
    );
  if (status !== undefined && status < 500)
    return new EmbeddingFailed(
      `The embedding server refused the request (status ${status}). Check EMBEDDING_MODEL, then try again.`,
      { cause: error },
    );
  return new EmbeddingFailed('The embedding server could not be reached. Try again later.', { cause: error });
}
