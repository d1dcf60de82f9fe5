import { createAsyncQueue } from '#lib/async-queue.ts';
import { AppError } from '#lib/errors.ts';
import type { ModelUsage } from '#lib/ports/language-model.ts';
import type { RealtimeEvent } from '#lib/ports/realtime.ts';
import { errorOf, kindOfRealtimeError } from './failure.ts';
import type { SoundReader } from './realtime-audio.ts';
import type { RealtimeEvent as ServerEvent } from './realtime-connection.ts';

/** What the server makes of one `response.create`. */
export type Response = {
  /** Ours: comes back in the metadata, and in errors as the id of our event. */
  readonly key: string;
  /** Beside the conversation: a fixed line. */
  readonly isLine: boolean;
  /** The server's, once it has begun. */
  id: string | undefined;
  isCancelled: boolean;
  isOver: boolean;
  /** What it added to the conversation, with how long each sounds. */
  items: { id: string; type: string; callId: string; ms: number }[];
  readonly events: ReturnType<typeof createAsyncQueue<RealtimeEvent>>;
  error: unknown;
  readonly over: PromiseWithResolvers<void>;
  readonly reader: SoundReader;
  calls: Set<string>;
};

export function createResponse(key: string, isLine: boolean, reader: SoundReader): Response {
  return {
    key,
    isLine,
    id: undefined,
    isCancelled: false,
    isOver: false,
    items: [],
    events: createAsyncQueue(),
    error: undefined,
    over: Promise.withResolvers(),
    reader,
    calls: new Set(),
  };
}

/** An event that is part of a response. */
export function takePart(response: Response, event: ServerEvent): void {
  // Servers of before the API was settled call it `response.audio…`.
  const type = event.type.replace(/^response\.audio/, 'response.output_audio');
  const item = recordOf(event.item);
  const { events, items } = response;
  if (type === 'response.output_item.added') {
    items.push({ id: textOf(item.id), type: textOf(item.type), callId: textOf(item.call_id), ms: 0 });
    events.push({ type: 'working' });
  }
  if (type === 'response.output_audio_transcript.delta' || type === 'response.output_text.delta')
    events.push({ type: 'words', delta: textOf(event.delta) });
  if (type === 'response.function_call_arguments.delta') events.push({ type: 'working' });
  if (type === 'response.output_item.done') takeCall(response, item);
  if (type !== 'response.output_audio.delta') return;
  const { samples, ms } = response.reader.read(textOf(event.delta));
  const sounding = items.find(({ id }) => id === event.item_id) ?? items.at(-1);
  if (sounding) sounding.ms += ms;
  events.push({ type: 'sound', samples });
}

function takeCall(response: Response, item: Record<string, unknown>): void {
  if (item.type !== 'function_call') return;
  const id = textOf(item.call_id);
  if (response.calls.has(id)) return;
  response.calls.add(id);
  const added = response.items.find((known) => known.id === item.id);
  if (added) added.callId = id;
  response.events.push({
    type: 'tool_call',
    id,
    name: textOf(item.name),
    arguments: textOf(item.arguments),
  });
}

/** The end of a response, whatever became of it. */
export function takeDone(response: Response, done: Record<string, unknown>): void {
  const { status } = done;
  const details = recordOf(done.status_details);
  if (status === 'failed') return finishResponse(response, failureOf(errorOf(details)));
  if (status === 'cancelled' && !response.isCancelled)
    return finishResponse(response, gaveUp(textOf(details.reason)));
  if (Array.isArray(done.output)) for (const item of done.output) takeCall(response, recordOf(item));
  const last = response.reader.end();
  if (last.length > 0 && response.items.some(({ ms }) => ms > 0))
    response.events.push({ type: 'sound', samples: last });
  const reason = status === 'incomplete' ? textOf(details.reason) : '';
  response.events.push({
    type: 'done',
    ...(reason === 'content_filter' ? { finish: 'filtered' as const } : {}),
    ...(reason === 'max_output_tokens' ? { finish: 'length' as const } : {}),
  });
  finishResponse(response);
}

export function finishResponse(response: Response, error?: unknown): void {
  if (response.isOver) return;
  response.isOver = true;
  response.error = error;
  response.events.close();
  response.over.resolve();
}

function gaveUp(reason: string): AppError {
  return new AppError('PROVIDER_FAILED', `The realtime model gave its answer up: ${reason || 'no reason'}`, {
    details: { kind: 'broke_off' },
  });
}

export function failureOf(error: ReturnType<typeof errorOf>): AppError {
  const reason = error.message || error.code || 'no reason was given';
  return new AppError('PROVIDER_FAILED', `The realtime model did not answer: ${reason}`, {
    details: { kind: kindOfRealtimeError(error) },
  });
}

export function usageOf(value: unknown): ModelUsage | undefined {
  const { input_tokens: inputTokens, output_tokens: outputTokens } = recordOf(value);
  if (typeof inputTokens !== 'number' && typeof outputTokens !== 'number') return undefined;
  return { inputTokens: Number(inputTokens ?? 0), outputTokens: Number(outputTokens ?? 0) };
}

export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
