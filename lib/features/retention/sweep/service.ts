import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { systemActor } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { forgetRecordings } from '#lib/features/calls/ended/repository.ts';
import { insertDeleted } from '#lib/features/calls/deleted/repository.ts';
import type { DeletionService } from '#lib/features/deletion/service.ts';
import {
  type Aged,
  listOldest,
  listOldestRecorded,
  listRetaining,
  noteRecordingsDeleted,
} from '../repository.ts';
import { cutoffOf } from '../rules.ts';

/** So few that nobody waits for their locks. */
const BATCH = 50;
/** After each batch others have the database to themselves for as long as it took there, and at least so long. */
const LEAST_PAUSE_MS = 20;
export type RetentionSweep = ReturnType<typeof createRetentionSweep>;

type Retaining = Awaited<ReturnType<typeof listRetaining>>[number];
/** Whether the sweep goes on, asked after each batch, which kept the database busy for so long. */
type Pace = (busyMs: number) => Promise<boolean>;

/** Deletes what a workspace keeps for a time only: whole conversations, or their recordings alone. */
export function createRetentionSweep(
  deps: Pick<Dependencies, 'db' | 'clock'> & { deletion: DeletionService },
) {
  const { db, clock, deletion } = deps;

  /** Gives back how many are gone. What cannot be deleted now is passed, and met again by the next sweep. */
  async function sweepConversations(actor: Actor, days: number, pace: Pace): Promise<number> {
    const before = cutoffOf(days, clock.now());
    let count = 0;
    let after: Aged | undefined;
    let busyMs: number;
    do {
      const begunAt = clock.now().getTime();
      const old = await listOldest(db, actor.workspaceId, { before, after, limit: BATCH });
      if (old.length === 0) break;
      const deletedAt = clock.now();
      const { deleted } = await db.transaction((tx) =>
        deletion.deleteRows(
          tx,
          actor,
          old.map(({ id }) => id),
        ),
      );
      busyMs = clock.now().getTime() - begunAt;
      await deletion.removeFiles(
        deleted.map((callId) => ({ callId, workspaceId: actor.workspaceId, deletedAt })),
      );
      count += deleted.length;
      after = old.at(-1);
    } while (await pace(busyMs));
    return count;
  }

  async function sweepRecordings(
    actor: Actor,
    { given, days }: { given: Retaining; days: number },
    pace: Pace,
  ) {
    const { workspaceId } = actor;
    const before = cutoffOf(days, clock.now());
    let from = given.recordingsDeletedUntil;
    let count = 0;
    let busyMs: number;
    do {
      const begunAt = clock.now().getTime();
      const old = await listOldestRecorded(db, workspaceId, { from, before, limit: BATCH });
      const removeFiles = await forgetRecordingsOf(workspaceId, old);
      busyMs = clock.now().getTime() - begunAt;
      await removeFiles();
      count += old.length;
      // The last moment may have more: those are met again, the ones that are done no longer.
      from = old.length < BATCH ? before : (old.at(-1)?.dateInitiated ?? before);
      await noteRecordingsDeleted(db, workspaceId, from);
      if (old.length < BATCH) break;
    } while (await pace(busyMs));
    return count;
  }

  /** Gives back what removes their files. */
  async function forgetRecordingsOf(
    workspaceId: WorkspaceId,
    old: readonly Aged[],
  ): Promise<() => Promise<void>> {
    const ids = old.map(({ id }) => id);
    const at = clock.now();
    if (ids.length > 0)
      await db.transaction(async (tx) => {
        await forgetRecordings(tx, workspaceId, { ids, at });
        await insertDeleted(tx, workspaceId, { ids, what: 'recording', at });
      });
    return () => deletion.removeFiles(ids.map((callId) => ({ callId, workspaceId, deletedAt: at })));
  }

  return {
    /** Of every workspace, for at most `forMs`: what is left then is for the next turn. */
    async sweep(forMs: number, signal?: AbortSignal): Promise<void> {
      const until = clock.now().getTime() + forMs;
      for (const given of await listRetaining(db)) {
        const actor = systemActor(given.id, 'retention');
        const pace = createPace(() => clock.now().getTime() < until && !signal?.aborted);
        const { conversationDays, recordingDays } = given;
        const conversations =
          conversationDays === null ? 0 : await sweepConversations(actor, conversationDays, pace);
        const recordings =
          recordingDays === null ? 0 : await sweepRecordings(actor, { given, days: recordingDays }, pace);
        if (conversations + recordings > 0)
          await recordAudit(db, clock, actor, {
            action: 'retention.swept',
            targetId: given.id,
            data: { conversations, recordings },
          });
      }
    },
  };

  function createPace(mayGoOn: () => boolean): Pace {
    return async (busyMs) => {
      if (!mayGoOn()) return false;
      await clock.sleep(Math.max(LEAST_PAUSE_MS, busyMs));
      return true;
    };
  }
}
