import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { lockEndedCall, updateTags } from '#lib/features/calls/ended/repository.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import { findMember } from '#lib/features/members/repository.ts';
import { listScenariosOfCalls } from '#lib/features/simulations/scenarios/repository.ts';
import type { CallRating, CallReview, ReviewTag } from './contract.ts';
import {
  deleteRating,
  deleteTagEdit,
  findReview,
  insertTagEdit,
  listRatings,
  listTagEdits,
  type ReviewChange,
  upsertRating,
  upsertReview,
} from './repository.ts';
import { addTag, removeTag, type TagChange } from './rules.ts';

/** More are no help to anybody. */
const MOST_TAGS = 30;

export type ReviewService = ReturnType<typeof createReviewService>;

/** What people of a workspace say about conversations that are over: tags, reviewed marks, assignments, ratings. */
export function createReviewService(deps: Pick<Dependencies, 'db' | 'clock'>) {
  const { db, clock } = deps;

  /** Throws 403 and 404. Of a call that runs it is empty. */
  async function get(actor: Actor, callId: string): Promise<CallReview> {
    const { tags } = await findCall(db, actor.workspaceId, callId);
    return shown(db, actor, { callId, tags });
  }

  async function changeTag(
    actor: Actor,
    { callId, tag }: { callId: string; tag: string },
    does: 'add' | 'remove',
  ): Promise<CallReview> {
    return db.transaction(async (tx) => {
      const call = await lockEndedCall(tx, actor.workspaceId, callId);
      const edits = await listTagEdits(tx, actor.workspaceId, callId);
      const change = (does === 'add' ? addTag : removeTag)(call.tags, edits, tag);
      if (change.does === 'nothing') return shown(tx, actor, { callId, tags: call.tags });
      if (does === 'add' && call.tags.length >= MOST_TAGS)
        throw new AppError('INVALID_STATE', `A conversation has at most ${MOST_TAGS} tags`);
      await writeTagChange(tx, actor, { callId, tag, change });
      await recordAudit(tx, clock, actor, {
        action: does === 'add' ? 'call.tag.added' : 'call.tag.removed',
        targetId: callId,
        data: { tag },
      });
      return shown(tx, actor, { callId, tags: change.tags });
    });
  }

  async function writeTagChange(
    tx: Database,
    actor: Actor,
    { callId, tag, change }: { callId: string; tag: string; change: Exclude<TagChange, { does: 'nothing' }> },
  ): Promise<void> {
    const at = clock.now();
    if (change.does === 'write')
      await insertTagEdit(tx, actor.workspaceId, { callId, edit: change.edit, by: actor, at });
    else await deleteTagEdit(tx, actor.workspaceId, { callId, tag });
    await updateTags(tx, actor.workspaceId, callId, { tags: change.tags, at });
  }

  return {
    get,

    /**
     * The effective tags change everywhere: lists, search, figures, the API, and webhooks that are sent from now on; none is
     * sent for it. Throws 403, 404, and 400 INVALID_STATE while the call runs.
     */
    addTag: (actor: Actor, callId: string, tag: string) => changeTag(actor, { callId, tag }, 'add'),
    removeTag: (actor: Actor, callId: string, tag: string) => changeTag(actor, { callId, tag }, 'remove'),

    /** Fields left out stay. Throws as `addTag`, and 400 for somebody who is no member, or only a viewer. */
    async update(
      actor: Actor,
      callId: string,
      wanted: { isReviewed?: boolean | undefined; assigneeId?: string | null | undefined },
    ): Promise<CallReview> {
      return db.transaction(async (tx) => {
        const { tags } = await lockEndedCall(tx, actor.workspaceId, callId);
        const before = await findReview(tx, actor.workspaceId, callId);
        const change: ReviewChange = {};
        const isReviewed = (before?.reviewedAt ?? null) !== null;
        if (wanted.isReviewed !== undefined && wanted.isReviewed !== isReviewed) {
          Object.assign(change, reviewedBy(wanted.isReviewed ? actor : null, clock.now()));
          const action = wanted.isReviewed ? 'call.reviewed' : 'call.review_reopened';
          await recordAudit(tx, clock, actor, { action, targetId: callId });
        }
        const assigneeId = wanted.assigneeId === 'me' ? actor.id : wanted.assigneeId;
        if (assigneeId !== undefined && assigneeId !== (before?.assigneeId ?? null)) {
          const assignee = await findAssignee(tx, actor, assigneeId);
          Object.assign(change, { assigneeId, assignee });
          const data = { from: before?.assignee ?? null, to: assignee };
          await recordAudit(tx, clock, actor, { action: 'call.assigned', targetId: callId, data });
        }
        if (Object.keys(change).length > 0) await upsertReview(tx, actor.workspaceId, callId, change);
        return shown(tx, actor, { callId, tags });
      });
    },

    /** One rating of each member; another one replaces it, and keeps its sentence where none is given. Throws as `addTag`. */
    async rate(
      actor: Actor,
      callId: string,
      rating: { stars: number; sentence?: string | null | undefined },
    ): Promise<CallReview> {
      return db.transaction(async (tx) => {
        const { tags } = await lockEndedCall(tx, actor.workspaceId, callId);
        const before = (await listRatings(tx, actor.workspaceId, callId)).find(
          ({ authorId }) => authorId === actor.id,
        );
        const sentence = rating.sentence === undefined ? (before?.sentence ?? null) : rating.sentence;
        if (before?.stars !== rating.stars || before.sentence !== sentence) {
          const at = clock.now();
          await upsertRating(tx, actor.workspaceId, { callId, by: actor, stars: rating.stars, sentence, at });
          const data = { stars: rating.stars };
          await recordAudit(tx, clock, actor, { action: 'call.rated', targetId: callId, data });
        }
        return shown(tx, actor, { callId, tags });
      });
    },

    /** Throws as `addTag`, and 404 where the actor gave none. */
    async unrate(actor: Actor, callId: string): Promise<CallReview> {
      return db.transaction(async (tx) => {
        const { tags } = await lockEndedCall(tx, actor.workspaceId, callId);
        if (!(await deleteRating(tx, actor.workspaceId, { callId, authorId: actor.id })))
          throw notFound('Rating');
        await recordAudit(tx, clock, actor, { action: 'call.rating_removed', targetId: callId });
        return shown(tx, actor, { callId, tags });
      });
    },
  };
}

function reviewedBy(actor: Actor | null, at: Date): ReviewChange {
  return actor === null
    ? { reviewedAt: null, reviewerId: null, reviewer: null }
    : { reviewedAt: at, reviewerId: actor.id, reviewer: actor.label };
}

/** The e-mail address of a member who may review. */
async function findAssignee(tx: Database, actor: Actor, userId: string | null): Promise<string | null> {
  if (userId === null) return null;
  const member = await findMember(tx, actor.workspaceId, userId);
  if (!member) throw validationError([{ field: 'assigneeId', reason: 'is no member of this workspace' }]);
  if (!hasRole(member.role, 'member'))
    throw validationError([{ field: 'assigneeId', reason: 'is a viewer, who cannot review' }]);
  return member.email;
}

async function shown(
  db: Database,
  actor: Actor,
  { callId, tags }: { callId: string; tags: readonly string[] },
): Promise<CallReview> {
  const edits = await listTagEdits(db, actor.workspaceId, callId);
  const review = await findReview(db, actor.workspaceId, callId);
  const ratings = await listRatings(db, actor.workspaceId, callId);
  return {
    tags: shownTags(tags, edits),
    reviewed: review?.reviewedAt ? { by: review.reviewer ?? '', at: review.reviewedAt.toISOString() } : null,
    assignee:
      review && review.assigneeId !== null ? { id: review.assigneeId, email: review.assignee ?? '' } : null,
    ratings: ratings.map((row) => shownRating(row, actor)),
    scenarios: await listScenariosOfCalls(db, actor.workspaceId, [callId]),
  };
}

type EditRow = Awaited<ReturnType<typeof listTagEdits>>[number];

function shownTags(tags: readonly string[], edits: readonly EditRow[]): ReviewTag[] {
  const editOf = (row: EditRow) => ({ by: row.author, at: row.createdAt.toISOString() });
  const there = tags.map((tag): ReviewTag => {
    const edit = edits.find((each) => each.tag === tag && each.kind === 'added');
    return { tag, state: edit ? 'added' : 'kept', edit: edit ? editOf(edit) : null };
  });
  const removed = edits.filter(({ kind }) => kind === 'removed');
  return [
    ...there,
    ...removed.map((row): ReviewTag => ({ tag: row.tag, state: 'removed', edit: editOf(row) })),
  ];
}

type RatingRow = Awaited<ReturnType<typeof listRatings>>[number];

function shownRating(row: RatingRow, actor: Actor): CallRating {
  return {
    isOwn: row.authorId === actor.id,
    by: row.author,
    at: row.updatedAt.toISOString(),
    stars: row.stars,
    sentence: row.sentence,
  };
}
