import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRateLimiter, type RateLimiter, type RateLimitKind } from './rate-limit.ts';

// The library reads the clock itself.
beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const limiter = (perSecond = 30) => createRateLimiter({ env: { rateLimitPerSecond: perSecond } });

/** How many requests in a row are served. */
async function served(rateLimiter: RateLimiter, key: string, kind?: RateLimitKind): Promise<number> {
  for (let count = 0; count < 3_000; count += 1) {
    try {
      await rateLimiter.take(key, 'read', kind);
    } catch {
      return count;
    }
  }
  return Infinity;
}

test('a burst is served, then 429 with the seconds to wait', async () => {
  const rateLimiter = limiter();
  expect(await served(rateLimiter, 'key:a')).toBe(100);
  await expect(rateLimiter.take('key:a', 'listConversations')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    status: 429,
    retryAfterSeconds: 1,
    details: { operation: 'listConversations', limitPerSecond: 30 },
  });
});

test('the default of 600 a second lets two thousand requests come at once', async () => {
  expect(await served(limiter(600), 'key:a')).toBe(2_000);
});

test('after the burst the rate goes on, and ten seconds later there is another burst', async () => {
  const rateLimiter = limiter();
  await served(rateLimiter, 'key:a');
  vi.advanceTimersByTime(1_000);
  expect(await served(rateLimiter, 'key:a')).toBe(30);
  vi.advanceTimersByTime(10_000);
  expect(await served(rateLimiter, 'key:a')).toBe(100);
});

test('one key at its limit takes nothing from another', async () => {
  const rateLimiter = limiter();
  await served(rateLimiter, 'key:a');
  expect(await served(rateLimiter, 'key:b')).toBe(100);
});

test('an address gets twice as much as a key', async () => {
  expect(await served(limiter(), 'address:198.51.100.1')).toBe(200);
});

test('pages and sign-ins have limits of their own, whatever the API allows', async () => {
  const rateLimiter = limiter(1_000_000);
  expect(await served(rateLimiter, 'address:198.51.100.1', 'page')).toBe(300);
  expect(await served(rateLimiter, 'address:198.51.100.1', 'signIn')).toBe(30);
});

test('what another process has served is counted as well, with what is above the rate taken from the burst', async () => {
  const [one, other] = [limiter(), limiter()];
  expect(await served(one, 'key:a')).toBe(100);
  await other.servedElsewhere(one.servedHere());
  expect(await served(other, 'key:a')).toBe(0);
  expect(await served(other, 'key:b')).toBe(100);
  vi.advanceTimersByTime(1_000);
  for (let times = 0; times < 10; times += 1) await one.take('key:a', 'read');
  await other.servedElsewhere(one.servedHere());
  expect(await served(other, 'key:a')).toBe(20);
});

test('it tells of keys that send enough to matter, once, and of no address', async () => {
  const rateLimiter = limiter(100);
  for (let times = 0; times < 4; times += 1) await rateLimiter.take('key:quiet', 'read');
  for (let times = 0; times < 5; times += 1) await rateLimiter.take('user:busy', 'read');
  await served(rateLimiter, 'address:198.51.100.1');
  expect(rateLimiter.servedHere()).toEqual({ 'user:busy': 5 });
  expect(rateLimiter.servedHere()).toEqual({});
});
