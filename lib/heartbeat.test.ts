import { expect, it } from 'vitest';
import { manualClock } from '#lib/ports/testing.ts';
import { keepRenewing } from './heartbeat.ts';

it('leases are renewed until their work ends, also after a renewal that failed', async () => {
  const clock = manualClock();
  const ending = new AbortController();
  const errors: unknown[] = [];
  let beats = 0;
  const kept = keepRenewing(ending.signal, {
    clock,
    everyMs: 5_000,
    renew: () => (++beats === 2 ? Promise.reject(new Error('the database is away')) : Promise.resolve()),
    onError: (error) => errors.push(error),
  });
  await clock.advance(4_999);
  expect(beats).toBe(0);
  await clock.advance(15_001);
  expect(beats).toBe(4);
  expect(errors).toEqual([new Error('the database is away')]);
  ending.abort();
  await kept;
  await clock.advance(60_000);
  expect(beats).toBe(4);
});
