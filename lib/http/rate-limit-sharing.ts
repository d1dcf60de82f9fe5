import { sql } from 'drizzle-orm';
import type { Dependencies } from '#lib/dependencies.ts';
import { describeError } from '#lib/log.ts';
import type { RateLimiter, ServedCounts } from './rate-limit.ts';

const CHANNEL = 'callwright_rates';
const TELL_EVERY_MS = 500;
/** A notification has 8,000 bytes. So many keys at a limit at once are no tenant in a loop any more. */
const MOST_KEYS = 100;

type Sharing = Pick<Dependencies, 'db' | 'database' | 'ids' | 'log'> & {
  rateLimiter: Pick<RateLimiter, 'servedHere' | 'servedElsewhere'>;
};

/**
 * From now on processes tell each other, twice a second and by NOTIFY, which keys and users have sent many requests, and
 * count those of the others as their own. A quiet service sends nothing; the embedded database has no other process.
 * Answers with what tells at once.
 */
export async function shareRates({
  db,
  database,
  ids,
  log,
  rateLimiter,
}: Sharing): Promise<() => Promise<void>> {
  const self = ids.next('proc');

  async function tell(): Promise<void> {
    const served = Object.entries(rateLimiter.servedHere());
    if (served.length === 0) return;
    const most = Object.fromEntries(served.toSorted(([, a], [, b]) => b - a).slice(0, MOST_KEYS));
    await db
      // Nothing is kept, so the commit need not wait for the disk (docs/decisions/0286).
      .execute(
        sql`select set_config('synchronous_commit', 'off', true), pg_notify(${CHANNEL}, ${JSON.stringify({ from: self, served: most })})`,
      )
      .catch((error: unknown) => log.warn({ event: 'notify_failed', error: describeError(error) }));
  }

  async function hear(payload: string): Promise<void> {
    const told = JSON.parse(payload) as { from: string; served: ServedCounts };
    if (told.from !== self) await rateLimiter.servedElsewhere(told.served);
  }

  if (database.pglite) return async () => {};
  await database.listen(CHANNEL, {
    onPayload: (payload) =>
      void hear(payload).catch((error: unknown) =>
        log.warn({ event: 'rates_unread', error: describeError(error) }),
      ),
    onListening() {},
  });
  setInterval(() => void tell(), TELL_EVERY_MS).unref();
  return tell;
}
