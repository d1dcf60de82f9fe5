import { setTimeout as delay } from 'node:timers/promises';
import { type Reach, reachServer } from '#db/reachable.ts';
import type { Env } from '#lib/env.ts';
import type { Logger } from '#lib/log.ts';
import type { Meanwhile } from './meanwhile.ts';

const FIRST_AFTER_MS = 500;
const LAST_AFTER_MS = 10_000;

type Waiting = Pick<Env, 'databaseUrl' | 'databaseDirectUrl'>;

/**
 * Waits until the PostgreSQL server answers, and says so in the log; meanwhile the process lives, and is not ready.
 * Rejects where waiting does not help (see `reachServer`). Does nothing with the embedded database.
 */
export async function waitForDatabase(
  env: Waiting,
  log: Logger,
  meanwhile: Meanwhile,
  { reach = reachServer, sleep = (ms: number) => delay(ms) } = {},
): Promise<void> {
  const startedAt = performance.now();
  for (let afterMs = FIRST_AFTER_MS; ; afterMs = Math.min(LAST_AFTER_MS, afterMs * 2)) {
    const found = await reachAll(env, reach);
    if (found.ok) {
      if (afterMs > FIRST_AFTER_MS)
        log.info({ event: 'database_there', waitedMs: Math.round(performance.now() - startedAt) });
      return;
    }
    log.warn({ event: 'database_away', reason: found.reason, nextTryAfterMs: afterMs });
    await meanwhile.show({ because: 'database', details: { missing: ['database'] } });
    await sleep(afterMs);
  }
}

async function reachAll(
  { databaseUrl, databaseDirectUrl }: Waiting,
  reach: typeof reachServer,
): Promise<Reach> {
  const first: Reach = databaseUrl ? await reach(databaseUrl, 'DATABASE_URL') : { ok: true };
  if (!first.ok || !databaseDirectUrl) return first;
  return reach(databaseDirectUrl, 'DATABASE_DIRECT_URL');
}
