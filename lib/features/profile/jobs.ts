import { deleteExpiredSessions } from '#lib/auth/repository.ts';
import { deleteExpiredAttempts } from '#lib/auth/sign-in-limit.ts';
import type { Dependencies } from '#lib/dependencies.ts';

const SWEEP_EVERY_MS = 60 * 60_000;

/** Removes sessions past their end, which nobody comes back with, and counts of sign-ins that no longer count. */
export async function registerProfileJobs(deps: Pick<Dependencies, 'db' | 'clock' | 'queue'>): Promise<void> {
  await deps.queue.every('sessions.sweep', SWEEP_EVERY_MS, async () => {
    await deleteExpiredSessions(deps.db, deps.clock.now());
    await deleteExpiredAttempts(deps.db, deps.clock.now());
  });
}
