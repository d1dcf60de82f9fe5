import { expect, test } from 'vitest';
import { manualClock } from '#lib/ports/testing.ts';
import { createRateLimiter, type RateLimiter } from './rate-limit.ts';

const limiter = (options: { perSecond?: number; maxBuckets?: number } = {}) => {
  const clock = manualClock();
  const env = { rateLimitPerSecond: options.perSecond ?? 30 };
  const rateLimiter = createRateLimiter({
    clock,
    env,
    ...(options.maxBuckets ? { maxBuckets: options.maxBuckets } : {}),
  });
  return { clock, rateLimiter };
};

/** How many requests in a row are served. */
async function served(rateLimiter: RateLimiter, key: string, tries = 2_500): Promise<number> {
  for (let count = 0; count < tries; count += 1) {
    try {
      await rateLimiter.take(key, 'read');
    } catch {
      return count;
    }
  }
  return tries;
}

test('a burst is served, then 429 with the seconds to wait', async () => {
  const { rateLimiter } = limiter();
  expect(await served(rateLimiter, 'key:a')).toBe(100);
  await expect(rateLimiter.take('key:a', 'listConversations')).rejects.toMatchObject({
    code: 'RATE_LIMITED',
    status: 429,
    retryAfterSeconds: 1,
    details: { operation: 'listConversations', limitPerSecond: 30 },
  });
});

test('the default of 600 a second lets two thousand requests come at once', async () => {
  expect(await served(limiter({ perSecond: 600 }).rateLimiter, 'key:a')).toBe(2_000);
});

test('an empty bucket fills at the rate and no further than the burst', async () => {
  const { clock, rateLimiter } = limiter();
  await served(rateLimiter, 'key:a');
  await clock.advance(1_000);
  expect(await served(rateLimiter, 'key:a')).toBe(30);
  await clock.advance(3_600_000);
  expect(await served(rateLimiter, 'key:a')).toBe(100);
});

test('a slow rate says how long to wait', async () => {
  const { rateLimiter } = limiter({ perSecond: 0.1 });
  await rateLimiter.take('key:a', 'read');
  await expect(rateLimiter.take('key:a', 'read')).rejects.toMatchObject({ retryAfterSeconds: 10 });
});

test('one key at its limit takes nothing from another', async () => {
  const { rateLimiter } = limiter();
  await served(rateLimiter, 'key:a');
  expect(await served(rateLimiter, 'key:b')).toBe(100);
});

test('an address gets twice as much as a key', async () => {
  expect(await served(limiter().rateLimiter, 'address:198.51.100.1')).toBe(200);
});

test('memory is bounded, and who is at the limit stays there while others come and go', async () => {
  const { rateLimiter } = limiter({ maxBuckets: 50 });
  await served(rateLimiter, 'key:busy');
  for (let other = 0; other < 500; other += 1) {
    await rateLimiter.take(`key:${other}`, 'read');
    await expect(rateLimiter.take('key:busy', 'read')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  }
  expect(rateLimiter.size()).toBe(50);
});

test('a clock that is set back gives nothing away and locks nobody out', async () => {
  let nowMs = 1_000_000;
  const rateLimiter = createRateLimiter({
    clock: { now: () => new Date(nowMs), sleep: async () => {} },
    env: { rateLimitPerSecond: 30 },
  });
  await served(rateLimiter, 'key:a');
  nowMs -= 500_000;
  await expect(rateLimiter.take('key:a', 'read')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
  nowMs += 1_000;
  expect(await served(rateLimiter, 'key:a')).toBe(30);
});
