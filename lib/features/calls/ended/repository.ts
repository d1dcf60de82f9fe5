import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callEvents, callOrders, calls, toolUses, transferAttempts, turns } from '#db/schema/calls.ts';
import { callWatches } from '#db/schema/call-watches.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';
import { listWithOpenDelivery } from '#lib/features/webhooks/repository.ts';

/** What people may still do with a call that is over: they judge it, and delete it. */

/**
 * A call that has ended, locked until the transaction ends: reviewers take turns. Throws 403 and 404, and 400 INVALID_STATE
 * while it runs.
 */
export async function lockEndedCall(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<{ id: string; tags: string[] }> {
  const [row] = await tx
    .select({ id: calls.id, workspaceId: calls.workspaceId, status: calls.status, tags: calls.tags })
    .from(calls)
    .where(eq(calls.id, callId))
    .for('no key update');
  const call = ownedOrThrow(row, workspaceId, 'Conversation');
  if (call.status !== 'ended')
    throw new AppError('INVALID_STATE', 'The conversation goes on; it can be reviewed once it has ended');
  return call;
}

/** Writes the tags that lists, searches, figures and the API show. */
export async function updateTags(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
  change: { tags: string[]; at: Date },
): Promise<void> {
  await tx
    .update(calls)
    .set({ tags: change.tags, updatedAt: change.at })
    .where(and(eq(calls.id, callId), eq(calls.workspaceId, workspaceId)));
}

/** What a table beside the list keeps of a conversation, so that it is filtered without reading its row. */
export const LISTED_FIELDS = sql`workspace_id, agent_id,
  call_facet(is_test, channel, direction, sentiment, disposition) as facet, date_initiated`;

/** Why a conversation is not deleted now; `gone`: the workspace has none with this id. */
export type Undeletable = 'running' | 'webhook' | 'gone';

/**
 * Locks calls until the transaction ends and tells which of them may be deleted: not while one runs, nor while a webhook of it
 * waits or is being sent. In the order of their ids, so that two deletions do not wait for each other.
 */
export async function lockForDeletion(
  tx: Database,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<Map<string, Undeletable | null>> {
  const rows = await tx
    .select({ id: calls.id, status: calls.status })
    .from(calls)
    .where(and(eq(calls.workspaceId, workspaceId), inArray(calls.id, [...ids])))
    .orderBy(asc(calls.id))
    .for('update');
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const sending = new Set(await listWithOpenDelivery(tx, workspaceId, ids));
  return new Map(
    ids.map((id) => {
      const status = statuses.get(id);
      if (status === undefined) return [id, 'gone'];
      return [id, status === 'ended' ? (sending.has(id) ? 'webhook' : null) : 'running'];
    }),
  );
}

/**
 * Deletes calls with everything that was said, heard, done and written down on them. What stays names no person: the fences of
 * dials and transfers, so that nobody is called twice. Tags, reviews, ratings and shares go by their foreign keys.
 */
export async function deleteCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  ids: readonly string[],
): Promise<void> {
  for (const table of [turns, toolUses, callEvents, callOrders, callWatches])
    await tx.delete(table).where(and(eq(table.workspaceId, workspaceId), inArray(table.callId, [...ids])));
  await tx.delete(webCalls).where(and(eq(webCalls.workspaceId, workspaceId), inArray(webCalls.id, [...ids])));
  await tx
    .update(transferAttempts)
    .set({ number: '' })
    .where(and(eq(transferAttempts.workspaceId, workspaceId), inArray(transferAttempts.callId, [...ids])));
  await tx.delete(calls).where(and(eq(calls.workspaceId, workspaceId), inArray(calls.id, [...ids])));
}

/** Takes the recordings away from calls, and says so on their timelines. */
export async function forgetRecordings(
  tx: Database,
  workspaceId: WorkspaceId,
  { ids, at }: { ids: readonly string[]; at: Date },
): Promise<void> {
  await tx
    .update(calls)
    .set({ recordingKey: null, recordingSizeBytes: null, updatedAt: at })
    .where(and(eq(calls.workspaceId, workspaceId), inArray(calls.id, [...ids])));
  await tx
    .insert(callEvents)
    .values(ids.map((callId) => ({ callId, workspaceId, type: 'recording.deleted', data: {}, at })));
}
