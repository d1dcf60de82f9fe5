import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callRatings, callReviews, callTagEdits } from '#db/schema/reviews.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { LISTED_FIELDS } from '#lib/features/calls/ended/repository.ts';
import type { TagEdit } from './rules.ts';

type Person = { id: string; label: string };

export async function listTagEdits(db: Database, workspaceId: WorkspaceId, callId: string) {
  return db
    .select()
    .from(callTagEdits)
    .where(and(eq(callTagEdits.workspaceId, workspaceId), eq(callTagEdits.callId, callId)))
    .orderBy(asc(callTagEdits.createdAt), asc(callTagEdits.tag));
}

export async function insertTagEdit(
  tx: Database,
  workspaceId: WorkspaceId,
  { callId, edit, by, at }: { callId: string; edit: TagEdit; by: Person; at: Date },
): Promise<void> {
  await tx
    .insert(callTagEdits)
    .values({ callId, workspaceId, ...edit, authorId: by.id, author: by.label, createdAt: at });
}

export async function deleteTagEdit(
  tx: Database,
  workspaceId: WorkspaceId,
  { callId, tag }: { callId: string; tag: string },
): Promise<void> {
  await tx
    .delete(callTagEdits)
    .where(
      and(
        eq(callTagEdits.workspaceId, workspaceId),
        eq(callTagEdits.callId, callId),
        eq(callTagEdits.tag, tag),
      ),
    );
}

export type ReviewRow = typeof callReviews.$inferSelect;

export async function findReview(
  db: Database,
  workspaceId: WorkspaceId,
  callId: string,
): Promise<ReviewRow | undefined> {
  const [row] = await db
    .select()
    .from(callReviews)
    .where(and(eq(callReviews.workspaceId, workspaceId), eq(callReviews.callId, callId)));
  return row;
}

export type ReviewChange = Partial<
  Pick<ReviewRow, 'assigneeId' | 'assignee' | 'reviewedAt' | 'reviewerId' | 'reviewer'>
>;

/** Writes the row of a conversation that nobody was assigned to before, or changes it. */
export async function upsertReview(
  tx: Database,
  workspaceId: WorkspaceId,
  callId: string,
  change: ReviewChange,
): Promise<void> {
  await tx.execute(sql`
    insert into call_reviews (call_id, workspace_id, agent_id, facet, date_initiated)
    select id, ${LISTED_FIELDS} from calls where id = ${callId} and workspace_id = ${workspaceId}
    on conflict do nothing`);
  await tx
    .update(callReviews)
    .set(change)
    .where(and(eq(callReviews.workspaceId, workspaceId), eq(callReviews.callId, callId)));
}

export async function listRatings(db: Database, workspaceId: WorkspaceId, callId: string) {
  return db
    .select()
    .from(callRatings)
    .where(and(eq(callRatings.workspaceId, workspaceId), eq(callRatings.callId, callId)))
    .orderBy(asc(callRatings.createdAt), asc(callRatings.authorId));
}

export async function upsertRating(
  tx: Database,
  workspaceId: WorkspaceId,
  rating: { callId: string; by: Person; stars: number; sentence: string | null; at: Date },
): Promise<void> {
  const { stars, sentence, at } = rating;
  await tx
    .insert(callRatings)
    .values({
      callId: rating.callId,
      workspaceId,
      authorId: rating.by.id,
      author: rating.by.label,
      stars,
      sentence,
      createdAt: at,
      updatedAt: at,
    })
    .onConflictDoUpdate({
      target: [callRatings.callId, callRatings.authorId],
      set: { stars, sentence, updatedAt: at },
    });
}

/** False where there was none. */
export async function deleteRating(
  tx: Database,
  workspaceId: WorkspaceId,
  { callId, authorId }: { callId: string; authorId: string },
): Promise<boolean> {
  const rows = await tx
    .delete(callRatings)
    .where(
      and(
        eq(callRatings.workspaceId, workspaceId),
        eq(callRatings.callId, callId),
        eq(callRatings.authorId, authorId),
      ),
    )
    .returning({ callId: callRatings.callId });
  return rows.length > 0;
}
