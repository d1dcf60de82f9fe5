import { BurstyRateLimiter, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '#lib/errors.ts';

/**
 * What is counted apart: requests to the API by key, user or address; and by address what anybody may ask for and the
 * service works on for long, pages and sign-ins.
 */
export type RateLimitKind = 'request' | 'page' | 'signIn';

export type RateLimiter = {
  /**
   * Counts one request. Throws `AppError('RATE_LIMITED')` with `retryAfterSeconds` above the limit. `rateKey` is
   * `key:…`, `user:…` or `address:…`; `what` is the operation's id, for the answer.
   */
  take(rateKey: string, what: string, kind?: RateLimitKind): Promise<void>;
  /**
   * Requests of keys and users that were served here since it was last asked, of those with enough of them to matter to
   * other processes; and what they have served, which is counted here as well.
   */
  servedHere(): ServedCounts;
  servedElsewhere(counts: ServedCounts): Promise<void>;
};

/** How many requests, by key or user. */
export type ServedCounts = Record<string, number>;

/** Seconds of the sustained rate that may come at once: 600 a second allow a burst of 2,000. */
const BURST_SECONDS = 10 / 3;
/** Who sends less than this part of a second's rate between two looks cannot pass a limit in several processes. */
const TELLING_FROM = 1 / 20;
/** Many people can share one address (a company's proxy), so an address gets twice what a key gets. */
const ADDRESS_FACTOR = 2;
/** A page takes some 20 ms to render, and brings about ten requests of its own with it. */
const PAGES = { perSecond: 30, burst: 300 };
/** A company that begins its day, not somebody who guesses: those are counted by `lib/auth/sign-in-limit.ts`. */
const SIGN_INS = { perSecond: 5, burst: 30 };

/**
 * Limits per key, user or address, which share nothing: a tenant at its limit costs the others one look-up. Counts are
 * kept in the process, told to others afterwards (docs/decisions/0341) and forgotten after ten seconds.
 */
export function createRateLimiter(deps: { env: { rateLimitPerSecond: number } }): RateLimiter {
  const perSecond = deps.env.rateLimitPerSecond;
  const request = createBurstyLimiter('request', requestLimit(perSecond));
  const address = createBurstyLimiter('address', requestLimit(perSecond * ADDRESS_FACTOR));
  const page = createBurstyLimiter('page', PAGES);
  const signIn = createBurstyLimiter('sign-in', SIGN_INS);

  function limiterOf(rateKey: string, kind: RateLimitKind) {
    if (kind === 'page') return page;
    if (kind === 'signIn') return signIn;
    return rateKey.startsWith('address:') ? address : request;
  }

  /** Addresses stay here: those of people are not told around. */
  let counts = new Map<string, number>();
  const count = (rateKey: string, kind: RateLimitKind) => {
    if (kind === 'request' && !rateKey.startsWith('address:'))
      counts.set(rateKey, (counts.get(rateKey) ?? 0) + 1);
  };

  return {
    servedHere() {
      const from = perSecond * TELLING_FROM;
      const told = [...counts].filter(([, times]) => times >= from);
      counts = new Map();
      return Object.fromEntries(told);
    },
    async servedElsewhere(served) {
      for (const [rateKey, times] of Object.entries(served)) await request.charge(rateKey, times);
    },
    async take(rateKey, what, kind = 'request') {
      const limiter = limiterOf(rateKey, kind);
      try {
        await limiter.consume(rateKey);
        count(rateKey, kind);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        const limitPerSecond = limiter.perSecond;
        throw new AppError(
          'RATE_LIMITED',
          `Too many requests: at most ${limitPerSecond} a second are served`,
          { details: { operation: what, limitPerSecond }, retryAfterSeconds: secondsUntil(refusal) },
        );
      }
    },
  };
}

/** Whole seconds for `Retry-After`, at least one. */
export function secondsUntil(refusal: RateLimiterRes): number {
  return Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
}

type Limit = { perSecond: number; burst: number };

function requestLimit(perSecond: number): Limit {
  return { perSecond, burst: Math.ceil(perSecond * BURST_SECONDS) };
}

/** `burst` at once, then `perSecond`; the burst is there again after ten seconds. */
function createBurstyLimiter(keyPrefix: string, limit: Limit) {
  const steady = new RateLimiterMemory({ keyPrefix, points: limit.perSecond, duration: 1 });
  const burst = new RateLimiterMemory({
    keyPrefix: `${keyPrefix}-burst`,
    points: Math.max(1, limit.burst - limit.perSecond),
    duration: 10,
  });
  const limiter = new BurstyRateLimiter(steady, burst);
  return {
    perSecond: limit.perSecond,
    consume: (key: string) => limiter.consume(key),
    /** As if so many had been served here: what is above the rate comes from the burst. */
    async charge(key: string, times: number): Promise<void> {
      const { consumedPoints } = await steady.penalty(key, times);
      const above = Math.min(times, consumedPoints - limit.perSecond);
      if (above > 0) await burst.penalty(key, above);
    },
  };
}
