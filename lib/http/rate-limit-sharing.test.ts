/** @module-tag postgres */
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { hasPostgres, openTestDatabase } from '#db/testing.ts';
import { systemIds } from '#lib/adapters/system/ids.ts';
import { createRateLimiter } from './rate-limit.ts';
import { shareRates } from './rate-limit-sharing.ts';

const log = pino({ level: 'silent' });

describe.skipIf(!hasPostgres)('several processes', () => {
  it('serve a key no more often than one does, as soon as they have told each other', async () => {
    const database = await openTestDatabase();
    try {
      const open = async () => {
        const rateLimiter = createRateLimiter({ env: { rateLimitPerSecond: 30 } });
        return {
          rateLimiter,
          tell: await shareRates({ ...database, database, ids: systemIds, log, rateLimiter }),
        };
      };
      const [one, other] = [await open(), await open()];
      const isServed = (by: typeof one, key: string) =>
        by.rateLimiter.take(key, 'read').then(
          () => true,
          () => false,
        );
      // The whole burst of ten seconds, and more.
      while (await isServed(one, 'key:a'));
      await one.tell();
      await expect.poll(() => isServed(other, 'key:a')).toBe(false);
      expect(await isServed(other, 'key:b')).toBe(true);
    } finally {
      await database.close();
    }
  });
});
