import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { listChanges } from './repository.ts';
import { dayOf } from './rules.ts';
import type { OverviewService } from './service.ts';

const KEEP_UP_EVERY_MS = 5 * 60_000;

/** Adds up the days that have changed, so that whoever looks next does not wait for it; after an upgrade all there are. */
export async function registerOverviewJobs(
  { db, queue }: Pick<Dependencies, 'db' | 'queue'>,
  overview: OverviewService,
): Promise<void> {
  await queue.every('overview.keep_up', KEEP_UP_EVERY_MS, (signal) => keepUp({ db, overview }, signal));
}

export async function keepUp(
  { db, overview }: Pick<Dependencies, 'db'> & { overview: OverviewService },
  signal?: AbortSignal,
): Promise<void> {
  for (const { workspaceId, timeZone, moments } of await listChanges(db)) {
    const days = new Map(
      moments.map((moment) => {
        const day = dayOf(moment, timeZone);
        return [day.startsAt.getTime(), day];
      }),
    );
    await overview.addUp(mintWorkspaceId(workspaceId), [...days.values()], signal);
  }
}
