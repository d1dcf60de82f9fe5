import type { Actor } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import type { Database } from '#db/client.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { forgetContentOfCalls } from '#lib/features/audit/repository.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { deleteCalls, lockForDeletion, type Undeletable } from '#lib/features/calls/ended/repository.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import { forgetPeopleOfCalls } from '#lib/features/campaigns/people/repository.ts';
import { deleteChatsOfCalls } from '#lib/features/chats/repository.ts';
import { deleteNotesOfCalls } from '#lib/features/notes/repository.ts';
import { recordingKeyOf, waveformKeyOf } from '#lib/features/recordings/rules.ts';
import { deleteResultsOfCalls } from '#lib/features/simulations/repository.ts';
import { deleteScenariosOfCalls } from '#lib/features/simulations/scenarios/repository.ts';
import { forgetCallsOfDeliveries } from '#lib/features/webhooks/repository.ts';
import { passFaultPoint } from '#lib/fault-points.ts';
import { describeError } from '#lib/log.ts';
import {
  type DeletedCall,
  forgetDeleted,
  insertDeleted,
  listDue,
  updateDue,
} from '#lib/features/calls/deleted/repository.ts';

const REASONS: Record<Undeletable, string> = {
  running: 'The conversation goes on; it can be deleted once it has ended',
  webhook: 'The webhook of the conversation is being sent; try again in a minute',
  gone: 'Conversation not found',
};

/** A recording that was being stored, or a waveform being drawn, when the row went: its file comes a little later. */
const ONCE_MORE_AFTER_MS = 15 * 60_000;
/** Files are removed in pieces of so many, one after the other. */
const FILES_AT_ONCE = 100;
/** Of so many conversations side by side: a bucket takes tens of milliseconds for each file. */
const SIDE_BY_SIDE = 10;
/** A machine that comes back later than this still has what it kept of the call. */
const REMEMBERED_MS = 90 * 86_400_000;

export type DeletionService = ReturnType<typeof createDeletionService>;

/** Deletes conversations with everything that belongs to them, also where a process is killed in the middle of it. */
export function createDeletionService(deps: Pick<Dependencies, 'db' | 'clock' | 'storage' | 'log'>) {
  const { db, clock, storage, log } = deps;

  /** In one transaction: what may be deleted of `ids` is gone, and its files are noted. */
  async function deleteRows(
    tx: Database,
    { workspaceId }: Actor,
    ids: readonly string[],
  ): Promise<{ deleted: string[]; refused: { id: string; reason: string; why: Undeletable }[] }> {
    const states = await lockForDeletion(tx, workspaceId, [...new Set(ids)]);
    const deleted = [...states].flatMap(([id, why]) => (why === null ? [id] : []));
    const refused = [...states].flatMap(([id, why]) =>
      why === null ? [] : [{ id, why, reason: REASONS[why] }],
    );
    if (deleted.length > 0) {
      await forgetCallsOfDeliveries(tx, workspaceId, deleted);
      await forgetPeopleOfCalls(tx, workspaceId, deleted);
      await deleteNotesOfCalls(tx, workspaceId, deleted);
      await deleteChatsOfCalls(tx, workspaceId, deleted);
      await forgetContentOfCalls(tx, workspaceId, deleted);
      // Scenarios first: whoever begins to run one holds it until its results are written.
      await deleteScenariosOfCalls(tx, workspaceId, deleted);
      await deleteResultsOfCalls(tx, workspaceId, deleted);
      await deleteCalls(tx, workspaceId, deleted);
      passFaultPoint('conversation.deleting');
      await insertDeleted(tx, workspaceId, { ids: deleted, what: 'conversation', at: clock.now() });
    }
    return { deleted, refused };
  }

  /** Removes the files of calls; of those that are just deleted it is done once more later. */
  async function removeFiles(calls: readonly DeletedCall[]): Promise<void> {
    const done = { now: [] as string[], later: [] as string[] };
    const removeOf = async ({ callId, workspaceId, deletedAt }: DeletedCall) => {
      const key = recordingKeyOf(workspaceId, callId);
      try {
        await storage.delete(key);
        passFaultPoint('conversation.file_removed');
        await storage.delete(waveformKeyOf(key));
        const isLate = clock.now().getTime() - deletedAt.getTime() >= ONCE_MORE_AFTER_MS;
        done[isLate ? 'now' : 'later'].push(callId);
      } catch (error) {
        log.warn({ event: 'deleted_recording_stays', callId, error: describeError(error) });
      }
    };
    for (let begun = 0; begun < calls.length; begun += SIDE_BY_SIDE)
      await Promise.all(calls.slice(begun, begun + SIDE_BY_SIDE).map(removeOf));
    await updateDue(db, done.now, null);
    await updateDue(db, done.later, new Date(clock.now().getTime() + ONCE_MORE_AFTER_MS));
  }

  return {
    deleteRows,
    removeFiles,

    /** Throws 403 and 404, and 400 INVALID_STATE while the conversation or its webhook goes on. */
    async delete(actor: Actor, callId: string): Promise<null> {
      await findCall(db, actor.workspaceId, callId);
      const at = clock.now();
      await db.transaction(async (tx) => {
        const { refused } = await deleteRows(tx, actor, [callId]);
        if (refused[0]) throw new AppError('INVALID_STATE', refused[0].reason);
        await recordAudit(tx, clock, actor, { action: 'conversation.deleted', targetId: callId });
      });
      passFaultPoint('conversation.deleted');
      await removeFiles([{ callId, workspaceId: actor.workspaceId, deletedAt: at }]);
      return null;
    },

    /** Those that cannot be deleted now are told, and the others are gone. */
    async deleteSeveral(actor: Actor, ids: readonly string[]) {
      const at = clock.now();
      const { deleted, refused } = await db.transaction(async (tx) => {
        const result = await deleteRows(tx, actor, ids);
        for (const callId of result.deleted)
          await recordAudit(tx, clock, actor, { action: 'conversation.deleted', targetId: callId });
        return result;
      });
      passFaultPoint('conversation.deleted');
      await removeFiles(deleted.map((callId) => ({ callId, workspaceId: actor.workspaceId, deletedAt: at })));
      return { deletedCount: deleted.length, refused: refused.map(({ id, reason }) => ({ id, reason })) };
    },

    /** Removes the files of what was deleted before, in every workspace: those that a killed process left, and late ones. */
    async sweepFiles(signal?: AbortSignal): Promise<void> {
      for (;;) {
        const due = await listDue(db, clock.now(), FILES_AT_ONCE);
        await removeFiles(due);
        if (due.length < FILES_AT_ONCE || signal?.aborted) break;
        // Where the storage refuses, the next turn asks again.
        const [first] = await listDue(db, clock.now(), 1);
        if (first && due.some(({ callId }) => callId === first.callId)) break;
      }
      await forgetDeleted(db, new Date(clock.now().getTime() - REMEMBERED_MS));
    },
  };
}
