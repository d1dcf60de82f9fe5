import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signInAttempts } from '#db/schema/auth.ts';
import { openTestDatabase } from '#db/testing.ts';
import type { OpenDatabase } from '#db/client.ts';
import { createSignInLimit, deleteExpiredAttempts, type SignInLimit } from './sign-in-limit.ts';

describe('the limit on sign-ins', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(() => {
    // The library reads the clock itself.
    vi.useFakeTimers({ toFake: ['Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await database.db.delete(signInAttempts);
  });
  afterAll(() => database.close());

  type Attempt = { account: string; address: string };

  const attemptsUntilLimited = async (limit: SignInLimit, attempt: (round: number) => Attempt) => {
    for (let round = 0; round < 200; round += 1) {
      try {
        await limit.begin(attempt(round));
      } catch {
        return round;
      }
    }
    return Infinity;
  };

  test('counts an address over many accounts', { tags: ['postgres'] }, async () => {
    const limit = createSignInLimit(database);
    expect(await attemptsUntilLimited(limit, (round) => ({ account: `a${round}`, address: 'one' }))).toBe(50);
  });

  test('counts a /48 of IPv6 as one address: sixty wrong passwords from its sixty /64 are not heard', async () => {
    const limit = createSignInLimit(database);
    const address = (round: number) => `2001:db8:0:${(round + 1).toString(16)}::1`;
    expect(await attemptsUntilLimited(limit, (round) => ({ account: 'a', address: address(round) }))).toBe(
      10,
    );
  });

  test('locks nobody out: an account guessed at from everywhere leaves each address three tries', async () => {
    const limit = createSignInLimit(database);
    const everywhere = (round: number) => ({ account: 'one', address: `b${round}` });
    expect(await attemptsUntilLimited(limit, everywhere)).toBe(Infinity);
    expect(await attemptsUntilLimited(limit, () => ({ account: 'one', address: 'the owner' }))).toBe(3);
    expect(await attemptsUntilLimited(limit, () => ({ account: 'another', address: 'c' }))).toBe(10);
  });

  test('is the same in every process, and ends after fifteen minutes', { tags: ['postgres'] }, async () => {
    const processes = [createSignInLimit(database), createSignInLimit(database)];
    const attempt = { account: 'shared', address: 'shared' };
    for (let round = 0; round < 10; round += 1) await processes[round % 2]?.begin(attempt);
    await expect(processes[0]?.begin(attempt)).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      retryAfterSeconds: 900,
    });
    vi.setSystemTime(Date.now() + 15 * 60_000);
    await expect(processes[1]?.begin(attempt)).resolves.toBeUndefined();
  });

  test('writes nothing for who is refused, and what has ended is swept', { tags: ['postgres'] }, async () => {
    const limit = createSignInLimit(database);
    const guess = (round: number) => ({ account: `a${round}`, address: 'one' });
    await attemptsUntilLimited(limit, guess);
    const before = await database.db.select().from(signInAttempts);
    for (let round = 100; round < 110; round += 1) await limit.begin(guess(round)).catch(() => {});
    expect(await database.db.select().from(signInAttempts)).toEqual(before);
    await deleteExpiredAttempts(database.db, new Date(Date.now() + 14 * 60_000));
    expect(await database.db.select().from(signInAttempts)).toEqual(before);
    await deleteExpiredAttempts(database.db, new Date(Date.now() + 15 * 60_000 + 1));
    expect(await database.db.select().from(signInAttempts)).toEqual([]);
  });

  test('keeps neither e-mail addresses nor network addresses', async () => {
    await createSignInLimit(database).begin({ account: 'who@alpha.test', address: '198.51.100.77' });
    const rows = await database.db.select().from(signInAttempts);
    expect(rows).toHaveLength(3);
    expect(JSON.stringify(rows)).not.toMatch(/who@alpha|198\.51/);
  });
});
