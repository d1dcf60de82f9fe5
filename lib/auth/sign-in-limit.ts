import { createHash } from 'node:crypto';
import { eq, inArray, lt, sql } from 'drizzle-orm';
import { signInAttempts } from '#db/schema/auth.ts';
import { AppError } from '#lib/errors.ts';
import type { Dependencies } from '#lib/dependencies.ts';

const WINDOW_MS = 15 * 60_000;

/**
 * Wrong passwords allowed in one window. The narrow limit is on the pair, so that a stranger who guesses at an
 * account does not lock its owner out; the limit on the account alone is there for guessing from many addresses.
 */
const LIMITS = { pair: 10, address: 50, account: 100 } as const;

type Attempt = { account: string; address: string };

export type SignInLimit = ReturnType<typeof createSignInLimit>;

/**
 * Limits guessing at passwords. An attempt counts before the password is checked (a thousand at once cannot slip
 * through) and is given back when it was right.
 */
export function createSignInLimit(deps: Pick<Dependencies, 'db' | 'clock'>) {
  return {
    /** Counts one attempt. Throws `AppError('RATE_LIMITED')` once a limit is passed. */
    async begin(attempt: Attempt): Promise<void> {
      const nowMs = deps.clock.now().getTime();
      const rows = await countOne(deps, keysOf(attempt), nowMs);
      const blocked = rows.filter((row) => row.count > LIMITS[kindOf(row.key)]);
      if (blocked.length === 0) return;
      const endsAtMs = Math.max(...blocked.map((row) => row.windowEndsAt.getTime()));
      throw new AppError('RATE_LIMITED', 'Too many sign-in attempts; try again later', {
        retryAfterSeconds: Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000)),
      });
    },
    /** The password was right: forgets the pair's failures and takes the attempt back elsewhere. */
    async succeeded(attempt: Attempt): Promise<void> {
      const { pair, ...others } = keysOf(attempt);
      await deps.db.delete(signInAttempts).where(eq(signInAttempts.key, pair));
      await deps.db
        .update(signInAttempts)
        .set({ count: sql`greatest(${signInAttempts.count} - 1, 0)` })
        .where(inArray(signInAttempts.key, Object.values(others)));
      await deps.db.delete(signInAttempts).where(lt(signInAttempts.windowEndsAt, deps.clock.now()));
    },
  };
}

async function countOne(
  deps: Pick<Dependencies, 'db'>,
  keys: Record<keyof typeof LIMITS, string>,
  nowMs: number,
) {
  const now = new Date(nowMs);
  const windowEndsAt = new Date(nowMs + WINDOW_MS);
  return (
    deps.db
      .insert(signInAttempts)
      // Always in one order: two sign-ins that lock the same rows in different orders would deadlock.
      .values(
        Object.values(keys)
          .sort()
          .map((key) => ({ key, count: 1, windowEndsAt })),
      )
      .onConflictDoUpdate({
        target: signInAttempts.key,
        set: {
          count: sql`case when ${signInAttempts.windowEndsAt} <= ${now.toISOString()} then 1 else ${signInAttempts.count} + 1 end`,
          windowEndsAt: sql`case when ${signInAttempts.windowEndsAt} <= ${now.toISOString()} then excluded.window_ends_at else ${signInAttempts.windowEndsAt} end`,
        },
      })
      .returning()
  );
}

function keysOf(attempt: Attempt): Record<keyof typeof LIMITS, string> {
  return {
    pair: `pair:${digest(`${attempt.account}\n${attempt.address}`)}`,
    address: `address:${digest(attempt.address)}`,
    account: `account:${digest(attempt.account)}`,
  };
}

function kindOf(key: string): keyof typeof LIMITS {
  if (key.startsWith('pair:')) return 'pair';
  return key.startsWith('address:') ? 'address' : 'account';
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
