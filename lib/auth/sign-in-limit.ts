import { createHash } from 'node:crypto';
import { lt } from 'drizzle-orm';
import { RateLimiterDrizzle, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Database } from '#db/client.ts';
import { signInAttempts } from '#db/schema/auth.ts';
import { AppError } from '#lib/errors.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { networkOf } from '#lib/http/client-address.ts';
import { secondsUntil } from '#lib/http/rate-limit.ts';

const WINDOW_SECONDS = 15 * 60;

/** Wrong passwords allowed in one window, for one account from one network and for one network. */
const PAIR = 10;
const NETWORK = 50;
/**
 * Wrong passwords for one account from everywhere. Above them nobody is locked out, but each network has only
 * `PAIR_UNDER_ATTACK` tries: the owner signs in from anywhere, and a thousand guessing addresses get little.
 */
const ACCOUNT = 100;
const PAIR_UNDER_ATTACK = 3;

type Attempt = { account: string; address: string };

export type SignInLimit = ReturnType<typeof createSignInLimit>;

/**
 * Limits guessing at passwords, for all processes together. An attempt counts before the password is checked (a
 * thousand at once cannot slip through) and is given back when it was right. Once a limit is passed, attempts are
 * refused from memory and write nothing.
 */
export function createSignInLimit(deps: Pick<Dependencies, 'db'>) {
  const pairs = createCounter(deps.db, 'pair', PAIR);
  const networks = createCounter(deps.db, 'address', NETWORK);
  const accounts = createCounter(deps.db, 'account', Number.MAX_SAFE_INTEGER);

  return {
    /** Counts one attempt. Throws `AppError('RATE_LIMITED')` once a limit is passed. */
    async begin(attempt: Attempt): Promise<void> {
      const { pair, network, account } = keysOf(attempt);
      try {
        // Else somebody who is refused would leave a row for each account they name.
        const before = await networks.get(network);
        if (before && before.consumedPoints >= NETWORK) throw before;
        const tries = await pairs.consume(pair);
        await networks.consume(network);
        const { consumedPoints } = await accounts.consume(account);
        if (consumedPoints > ACCOUNT && tries.consumedPoints > PAIR_UNDER_ATTACK) throw tries;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new AppError('RATE_LIMITED', 'Too many sign-in attempts; try again later', {
          retryAfterSeconds: secondsUntil(refusal),
        });
      }
    },
    /** The password was right: forgets the pair's failures and takes the attempt back elsewhere. */
    async succeeded(attempt: Attempt): Promise<void> {
      const { pair, network, account } = keysOf(attempt);
      await pairs.delete(pair);
      await networks.reward(network);
      await accounts.reward(account);
    },
  };
}

/** Counts whose window has ended. */
export async function deleteExpiredAttempts(db: Database, now: Date): Promise<void> {
  await db.delete(signInAttempts).where(lt(signInAttempts.expire, now));
}

function createCounter(db: Database, keyPrefix: string, points: number): RateLimiterDrizzle {
  const limit = { keyPrefix, points, duration: WINDOW_SECONDS };
  return new RateLimiterDrizzle({
    ...limit,
    storeClient: db,
    schema: signInAttempts,
    inMemoryBlockOnConsumed: points + 1,
    // Swept with the sessions, by one process.
    clearExpiredByTimeout: false,
    insuranceLimiter: new RateLimiterMemory(limit),
  });
}

/** Who guesses has a whole site's network. Hashed: neither accounts nor addresses stand in the table in clear. */
function keysOf(attempt: Attempt) {
  const network = networkOf(attempt.address, 48);
  return {
    pair: digest(`${attempt.account}\n${network}`),
    network: digest(network),
    account: digest(attempt.account),
  };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
