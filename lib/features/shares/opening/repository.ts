import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { callShares } from '#db/schema/reviews.ts';

/**
 * What an open link shows. The only look-up without a workspace: the signature of the link, made for a member of the call's
 * workspace, is the permission.
 */
export async function findShared(db: Database, shareId: string, now: Date) {
  const [row] = await db
    .select({
      callId: calls.id,
      workspaceId: calls.workspaceId,
      channel: calls.channel,
      dateInitiated: calls.dateInitiated,
      durationSeconds: calls.durationSeconds,
      summary: calls.summary,
      hasRecording: sql<boolean>`${calls.recordingKey} is not null`,
      expiresAt: callShares.expiresAt,
    })
    .from(callShares)
    .innerJoin(calls, eq(calls.id, callShares.callId))
    .where(and(eq(callShares.id, shareId), isNull(callShares.revokedAt), gt(callShares.expiresAt, now)));
  return row;
}

export async function noteOpened(db: Database, shareId: string, at: Date): Promise<void> {
  await db
    .update(callShares)
    .set({ lastOpenedAt: at, openedCount: sql`${callShares.openedCount} + 1` })
    .where(eq(callShares.id, shareId));
}
