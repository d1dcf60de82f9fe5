import { deleteExpiredSessions } from '#lib/auth/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';

const SWEEP_EVERY_MS = 60 * 60_000;

/** Removes sessions past their end, which nobody comes back with. */
export async function registerProfileJobs(deps: Pick<Dependencies, 'db' | 'clock' | 'queue'>): Promise<void> {
  await deps.queue.every('sessions.sweep', SWEEP_EVERY_MS, async () =>
    deleteExpiredSessions(deps.db, deps.clock.now()),
  );
}
