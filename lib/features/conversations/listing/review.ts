import { type SQL, sql } from 'drizzle-orm';
import type { CallFilter } from '../contract.ts';

type ReviewFilter = Pick<CallFilter, 'review' | 'assignee'>;

/** Whether the filter asks for conversations that have a row in `call_reviews`: few, or in its own order. */
export function isAmongReviews({ review, assignee }: ReviewFilter): boolean {
  return review === 'done' || (assignee !== undefined && assignee !== 'none');
}

/** Whether the filter asks for what has no review, or is assigned to nobody: each is looked up, as most have no row. */
export function isOfLack(filter: ReviewFilter): boolean {
  return (filter.review === 'open' || filter.assignee === 'none') && !isAmongReviews(filter);
}

/** Rows of `call_reviews` that have what is asked for; without those of which only the lack is asked. */
export function amongReviews({ review, assignee }: ReviewFilter): SQL {
  const done = review === 'done' ? sql` and reviewed_at is not null` : sql``;
  const open = review === 'open' ? sql` and reviewed_at is null` : sql``;
  const whose =
    assignee === undefined
      ? sql``
      : assignee === 'none'
        ? sql` and assignee_id is null`
        : sql` and assignee_id = ${assignee}`;
  return sql`${done}${open}${whose}`;
}

/** What a review asks of a row whose column `id` is a conversation; `call_reviews` has no column of that name. */
export function matchesReview(filter: ReviewFilter): SQL {
  const { review, assignee } = filter;
  if (isAmongReviews(filter))
    return sql` and exists (select from call_reviews where call_id = id${amongReviews(filter)})`;
  // Most conversations have no row: asked for what the row must not say. By a look-up for each, until the page is full: for
  // a `not exists` the planner reads the reviews of all.
  const done = review === 'open' ? sql`reviewed_at is not null` : undefined;
  const assigned = assignee === 'none' ? sql`assignee_id is not null` : undefined;
  const said = [done, assigned].filter((each) => each !== undefined);
  if (said.length === 0) return sql``;
  return sql` and coalesce((select not (${sql.join(said, sql` or `)}) from call_reviews where call_id = id), true)`;
}
