import { and, eq, gt, isNull } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { users } from '#db/schema/auth.ts';
import { calls } from '#db/schema/calls.ts';
import { callShares } from '#db/schema/reviews.ts';
import { auditEvents } from '#db/schema/keys.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { ownedOrThrow } from '#lib/features/ownership.ts';

/**
 * The stored recording that a signed link names. The only look-up without a workspace: the signature, made for a
 * member of the call's workspace, is the permission.
 */
export async function findSignedRecording(db: Database, { id, now }: { id: string; now: Date }) {
  return (await findRecordingOfCall(db, id)) ?? findRecordingOfShare(db, id, now);
}

async function findRecordingOfCall(db: Database, callId: string) {
  const [row] = await db.select({ recordingKey: calls.recordingKey }).from(calls).where(eq(calls.id, callId));
  return row?.recordingKey ?? undefined;
}

/** A shared link asks by the share's id, for as long as it is open. */
async function findRecordingOfShare(db: Database, shareId: string, now: Date) {
  const [row] = await db
    .select({ recordingKey: calls.recordingKey })
    .from(callShares)
    .innerJoin(calls, eq(calls.id, callShares.callId))
    .where(and(eq(callShares.id, shareId), isNull(callShares.revokedAt), gt(callShares.expiresAt, now)));
  return row?.recordingKey ?? undefined;
}

/** Storage key of a call's recording, null where it has none. Throws 403 and 404 as everywhere. */
export async function findRecordingKey(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<string | null> {
  const [row] = await db
    .select({ workspaceId: calls.workspaceId, recordingKey: calls.recordingKey })
    .from(calls)
    .where(eq(calls.id, callId));
  return ownedOrThrow(row, workspaceId, 'Call').recordingKey;
}

/** Notes in the audit log of the call's workspace that a person fetched its recording, once an hour. */
export async function insertRecordingFetched(
  db: Database,
  callId: string,
  viewer: string,
  at: Date,
): Promise<void> {
  const [found] = await db
    .select({ workspaceId: calls.workspaceId, email: users.email })
    .from(calls)
    .innerJoin(users, eq(users.id, viewer))
    .where(eq(calls.id, callId));
  if (!found) return;
  await db
    .insert(auditEvents)
    .values({
      workspaceId: found.workspaceId,
      actorKind: 'user',
      actorId: viewer,
      actorLabel: found.email,
      action: 'recording.fetched',
      targetId: callId,
      data: {},
      repeatKey: `recording.fetched:${viewer}:${callId}:${Math.floor(at.getTime() / 3_600_000)}`,
      at,
    })
    .onConflictDoNothing();
}
