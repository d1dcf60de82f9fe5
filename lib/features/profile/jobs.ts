import { deleteExpiredSessions, deleteOldAccountEvents } from '#lib/auth/repository.ts';
import { deleteExpiredAttempts } from '#lib/auth/sign-in-limit.ts';
import type { Dependencies } from '#lib/dependencies.ts';

const SWEEP_EVERY_MS = 60 * 60_000;

/** How long the audit log keeps what changed nothing: sign-ins and refusals, sessions ended, recordings played. */
const ACCOUNT_EVENT_DAYS = 90;

/**
 * Removes sessions past their end, which nobody comes back with, counts of sign-ins that no longer count, and old
 * sign-ins from the audit log.
 */
export async function registerProfileJobs(deps: Pick<Dependencies, 'db' | 'clock' | 'queue'>): Promise<void> {
  await deps.queue.every('sessions.sweep', SWEEP_EVERY_MS, async () => {
    const now = deps.clock.now();
    await deleteExpiredSessions(deps.db, now);
    await deleteExpiredAttempts(deps.db, now);
    await deleteOldAccountEvents(deps.db, new Date(now.getTime() - ACCOUNT_EVENT_DAYS * 86_400_000));
  });
}
