/**
 * Why a provider's model gave no useful answer. An adapter puts it into the `details` of its
 * `AppError('PROVIDER_FAILED')`; `providerFailureOf` reads it.
 */
export type ProviderFailure = {
  kind: ProviderFailureKind;
  /** How long the provider asks to be left alone; nobody on a call waits that long. */
  retryAfterMs?: number;
};

export const PROVIDER_FAILURES = [
  /** The key is refused, or may not use the model. */
  'bad_key',
  /** The account has no credit left. */
  'no_credit',
  'no_such_model',
  /** The request itself is refused; it would be again. */
  'refused',
  'rate_limited',
  'overloaded',
  'no_connection',
  /** Nothing came in time, or nothing more did. */
  'timed_out',
  'broke_off',
  /** What came could not be understood. */
  'unreadable',
] as const;
export type ProviderFailureKind = (typeof PROVIDER_FAILURES)[number];

/** A person has to act (a key, a bill, a name of a model) before it can work again. */
export const FATAL_FAILURES = [
  'bad_key',
  'no_credit',
  'no_such_model',
] as const satisfies ProviderFailureKind[];

export function isFatal(kind: string): boolean {
  return FATAL_FAILURES.some((fatal) => fatal === kind);
}

/** What an error tells of a provider's failure; anything unknown counts as no connection. */
export function providerFailureOf(error: unknown): ProviderFailure {
  const details =
    typeof error === 'object' && error !== null && 'details' in error ? error.details : undefined;
  const told = typeof details === 'object' && details !== null ? (details as Partial<ProviderFailure>) : {};
  const kind = PROVIDER_FAILURES.find((known) => known === told.kind) ?? 'no_connection';
  return typeof told.retryAfterMs === 'number' ? { kind, retryAfterMs: told.retryAfterMs } : { kind };
}
