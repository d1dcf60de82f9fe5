import { and, eq, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

/** What people may still do with a call that is over: they judge it. */

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
