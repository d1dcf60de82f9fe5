import OpenAI from 'openai';
import { AppError } from '#lib/errors.ts';
import type { ProviderFailure } from '#lib/ports/provider-failure.ts';

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
  if (status === 402 || /insufficient_quota|billing|credit/i.test(said)) return { kind: 'no_credit' };
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
