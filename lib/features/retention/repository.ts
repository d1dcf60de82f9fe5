import { and, asc, eq, gt, isNotNull, lt, or } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

/** A place in the order of age. */
export type Aged = { id: string; dateInitiated: Date };

/** Workspaces that keep something for a time only. */
export async function listRetaining(db: Database) {
  return db
    .select({
      id: workspaces.id,
      conversationDays: workspaces.conversationRetentionDays,
      recordingDays: workspaces.recordingRetentionDays,
      recordingsDeletedUntil: workspaces.recordingsDeletedUntil,
    })
    .from(workspaces)
    .where(or(isNotNull(workspaces.conversationRetentionDays), isNotNull(workspaces.recordingRetentionDays)))
    .orderBy(asc(workspaces.id));
}

const isEndedBefore = (workspaceId: WorkspaceId, before: Date) =>
  and(eq(calls.workspaceId, workspaceId), eq(calls.status, 'ended'), lt(calls.dateInitiated, before));

/** The oldest conversations from before a moment, after a place among them: along the index of the list. */
export async function listOldest(
  db: Database,
  workspaceId: WorkspaceId,
  { before, after, limit }: { before: Date; after: Aged | undefined; limit: number },
): Promise<Aged[]> {
  return db
    .select({ id: calls.id, dateInitiated: calls.dateInitiated })
    .from(calls)
    .where(and(isEndedBefore(workspaceId, before), after && isAfter(after)))
    .orderBy(asc(calls.dateInitiated), asc(calls.id))
    .limit(limit);
}

function isAfter({ id, dateInitiated }: Aged) {
  return or(
    gt(calls.dateInitiated, dateInitiated),
    and(eq(calls.dateInitiated, dateInitiated), gt(calls.id, id)),
  );
}

/** Those with a recording, from a moment on that no older one has one before. */
export async function listOldestRecorded(
  db: Database,
  workspaceId: WorkspaceId,
  { from, before, limit }: { from: Date | null; before: Date; limit: number },
): Promise<Aged[]> {
  return db
    .select({ id: calls.id, dateInitiated: calls.dateInitiated })
    .from(calls)
    .where(
      and(
        isEndedBefore(workspaceId, before),
        from === null ? undefined : or(gt(calls.dateInitiated, from), eq(calls.dateInitiated, from)),
        isNotNull(calls.recordingKey),
      ),
    )
    .orderBy(asc(calls.dateInitiated), asc(calls.id))
    .limit(limit);
}

/** Counted as far as `most`. */
export async function countOld(
  db: Database,
  workspaceId: WorkspaceId,
  { before, onlyRecorded, most }: { before: Date; onlyRecorded: boolean; most: number },
): Promise<{ count: number; isExact: boolean }> {
  const found = db
    .select({ id: calls.id })
    .from(calls)
    .where(and(isEndedBefore(workspaceId, before), onlyRecorded ? isNotNull(calls.recordingKey) : undefined))
    .limit(most + 1)
    .as('found');
  const count = await db.$count(found);
  return { count: Math.min(count, most), isExact: count <= most };
}

export async function noteRecordingsDeleted(
  db: Database,
  workspaceId: WorkspaceId,
  until: Date,
): Promise<void> {
  await db.update(workspaces).set({ recordingsDeletedUntil: until }).where(eq(workspaces.id, workspaceId));
}
