import { AppError } from '#lib/errors.ts';
import type { Clock } from '#lib/ports/clock.ts';

export type RateLimiter = {
  /**
   * Takes one request from the caller's bucket. Throws `AppError('RATE_LIMITED')` with `retryAfterSeconds` when it
   * is empty. `rateKey` comes from `AuthService.identify`: `key:…`, `user:…` or `address:…`.
   */
  take(rateKey: string, operationId: string): Promise<void>;
  /** Buckets in memory, for tests of the bound. */
  size(): number;
};

type Bucket = { tokens: number; refilledAtMs: number };

/** Seconds of the sustained rate that may come at once: 600 a second allow a burst of 2,000. */
const BURST_SECONDS = 10 / 3;
/** Many people can share one address (a company's proxy), so an address gets twice what a key gets. */
const ADDRESS_FACTOR = 2;
const MAX_BUCKETS = 50_000;

/**
 * A token bucket per key, user or address. Buckets share nothing, so a tenant at its limit costs the others one map
 * look-up. At most `maxBuckets` are kept, the least recently used dropped first: a dropped bucket comes back full,
 * which after BURST_SECONDS of silence it would have been anyway. Counts are per process (docs/decisions/0012).
 */
export function createRateLimiter(deps: {
  clock: Clock;
  env: { rateLimitPerSecond: number };
  maxBuckets?: number;
}): RateLimiter {
  const buckets = new Map<string, Bucket>();
  const maxBuckets = deps.maxBuckets ?? MAX_BUCKETS;

  function take(rateKey: string, operationId: string): void {
    const perSecond = deps.env.rateLimitPerSecond * (rateKey.startsWith('address:') ? ADDRESS_FACTOR : 1);
    const capacity = Math.ceil(perSecond * BURST_SECONDS);
    const nowMs = deps.clock.now().getTime();
    const bucket = buckets.get(rateKey) ?? { tokens: capacity, refilledAtMs: nowMs };
    const elapsedMs = Math.max(0, nowMs - bucket.refilledAtMs);
    const tokens = Math.min(capacity, bucket.tokens + (elapsedMs / 1000) * perSecond);
    const allowed = tokens >= 1;
    buckets.delete(rateKey);
    buckets.set(rateKey, { tokens: allowed ? tokens - 1 : tokens, refilledAtMs: nowMs });
    if (buckets.size > maxBuckets) dropOldest();
    if (allowed) return;
    throw new AppError('RATE_LIMITED', `Too many requests: at most ${perSecond} a second are served`, {
      details: { operation: operationId, limitPerSecond: perSecond },
      retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
    });
  }

  function dropOldest(): void {
    const oldest = buckets.keys().next();
    if (!oldest.done) buckets.delete(oldest.value);
  }

  return {
    take: async (rateKey, operationId) => take(rateKey, operationId),
    size: () => buckets.size,
  };
}
