import type { Dependencies } from '#lib/dependencies.ts';
import type { DeletionService } from '#lib/features/deletion/service.ts';
import type { RetentionSweep } from './sweep/service.ts';

const FILES_EVERY_MS = 60_000;
const SWEEP_EVERY_MS = 60 * 60_000;
/** Well before the next turn, which another process may take. */
const SWEEP_FOR_MS = 45 * 60_000;

/** Deletes what is kept no longer, and the files of what was deleted. */
export async function registerRetentionJobs(
  { queue }: Pick<Dependencies, 'queue'>,
  { deletion, retentionSweep }: { deletion: DeletionService; retentionSweep: RetentionSweep },
): Promise<void> {
  await queue.every('deletion.files', FILES_EVERY_MS, (signal) => deletion.sweepFiles(signal));
  await queue.every('retention.sweep', SWEEP_EVERY_MS, (signal) =>
    retentionSweep.sweep(SWEEP_FOR_MS, signal),
  );
}
