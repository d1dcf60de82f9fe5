/** @module-tag postgres */
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { openTestDatabase } from '#db/testing.ts';
import type { JobKind } from '#lib/ports/queue.ts';
import { createPgBossQueue } from './pg-boss.ts';

it('works through a backlog without waiting for the next poll', async () => {
  const database = await openTestDatabase();
  const queue = createPgBossQueue(database, pino({ level: 'silent' }));
  const kind: JobKind<{ number: number }> = { name: 'test.backlog' };
  try {
    await queue.start();
    await queue.ensure(kind);
    for (let number = 0; number < 30; number++) await queue.send(kind, { number });
    const done = new Set<number>();
    await queue.work(kind, { concurrency: 2 }, async ({ number }) => void done.add(number));
    // Two workers and a poll every two seconds would need half a minute.
    await expect.poll(() => done.size, { timeout: 10_000 }).toBe(30);
  } finally {
    await queue.stop(2000);
    await database.close();
  }
});
