import OpenAI from 'openai';
import { AppError } from '#lib/errors.ts';
import type { ProviderFailure, ProviderFailureKind } from '#lib/ports/provider-failure.ts';

/** Thrown by an adapter where it knows better than the SDK what went wrong. */
export class BrokenAnswer extends Error {
  readonly kind: ProviderFailure['kind'];

  constructor(kind: ProviderFailure['kind'], message: string) {
    super(message);
    this.name = 'BrokenAnswer';
    this.kind = kind;
  }
}

/**
 * The `AppError('PROVIDER_FAILED')` for what a request to an OpenAI-compatible server failed with, `what` being the part
 * that did ("The language model"). The caller's own abort stays what it is.
 */
export function asProviderFailure(what: string, error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  const reason = error instanceof Error ? error.message : String(error);
  return new AppError('PROVIDER_FAILED', `${what} did not answer: ${reason}`, {
    cause: error,
    details: { ...classify(error) },
  });
}

function classify(error: unknown): ProviderFailure {
  if (error instanceof BrokenAnswer) return { kind: error.kind };
  if (error instanceof OpenAI.APIConnectionTimeoutError) return { kind: 'timed_out' };
  if (error instanceof OpenAI.APIConnectionError) return { kind: 'no_connection' };
  if (error instanceof OpenAI.APIError) return classifyAnswer(error);
  if (error instanceof SyntaxError) return { kind: 'unreadable' };
  // The body of an answer that had begun: the SDK lets through what the socket threw.
  return { kind: 'broke_off' };
}

function classifyAnswer(error: InstanceType<typeof OpenAI.APIError>): ProviderFailure {
  const { code, type } = error;
  const status: unknown = error.status;
  const said = `${code ?? ''} ${type ?? ''} ${error.message}`;
  if (status === 402 || saysNoCredit(said)) return { kind: 'no_credit' };
  if (status === 401 || status === 403) return { kind: 'bad_key' };
  if (status === 404 || /model_not_found/i.test(said)) return { kind: 'no_such_model' };
  if (status === 429) return { kind: 'rate_limited', ...retryAfter(error.headers) };
  if (status === 408) return { kind: 'timed_out' };
  // Errors inside a stream have no status of their own.
  if (typeof status === 'number' && status < 500) return { kind: 'refused' };
  return { kind: 'overloaded', ...retryAfter(error.headers) };
}

function retryAfter(headers: Headers | undefined): Pick<ProviderFailure, 'retryAfterMs'> {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  const seconds = Number(headers?.get('retry-after') ?? Number.NaN);
  const retryAfterMs = Number.isFinite(exact) ? exact : seconds * 1_000;
  return Number.isFinite(retryAfterMs) ? { retryAfterMs } : {};
}

/** The `error` of an answer or an event, as far as it says something. */
export function errorOf(value: unknown): { type: string; code: string; message: string; eventId: string } {
  const error: unknown = isRecord(value) ? value.error : undefined;
  const text = (field: string) => (isRecord(error) && typeof error[field] === 'string' ? error[field] : '');
  return { type: text('type'), code: text('code'), message: text('message'), eventId: text('event_id') };
}

/** What a refused connection means; `said` is what came with it. */
export function kindOfStatus(status: number, said: string): ProviderFailureKind {
  if (status === 402 || saysNoCredit(said)) return 'no_credit';
  if (status === 401 || status === 403) return 'bad_key';
  if (status === 404) return 'no_such_model';
  if (status === 429) return 'rate_limited';
  return status < 500 ? 'refused' : 'overloaded';
}

/** What the Realtime API's errors mean; their codes are the only thing that tells them apart. */
export function kindOfRealtimeError({
  type,
  code,
  message,
}: ReturnType<typeof errorOf>): ProviderFailureKind {
  const said = `${type} ${code} ${message}`;
  if (saysNoCredit(said)) return 'no_credit';
  if (/invalid_api_key|authentication|unauthorized/i.test(said)) return 'bad_key';
  if (/model_not_found|invalid_model/i.test(said)) return 'no_such_model';
  if (/rate_limit/i.test(said)) return 'rate_limited';
  if (/session_expired/i.test(said)) return 'broke_off';
  // It is over in a moment.
  if (/server_error|active_response/i.test(said)) return 'overloaded';
  return 'refused';
}

function saysNoCredit(said: string): boolean {
  return /insufficient_quota|billing|credit/i.test(said);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
