import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallFilter } from '../contract.ts';
import {
  hasOwnIndex,
  inOrder,
  ofAgent,
  ownConditions,
  selectBeside,
  type Wanted,
  within,
} from './conditions.ts';
import { withValues } from './facets.ts';
import { resultOf, yields } from './results.ts';
import { amongReviews, isAmongReviews, isOfLack, matchesReview } from './review.ts';

/*
 * Filters that several tables answer together: a prompt with a tag, a result of what is reviewed.
 * Each of these tables has an index in the order of the list, with all behind it that the rest of a filter asks for; so they
 * are walked side by side, as a zip fastener closes, and no row is read (docs/decisions/0342).
 */

type Asked = Pick<Wanted, 'filter' | 'after' | 'order'>;

/** The planner has no statistics of values that go together, and guesses that few rows match: it would look up each of many. */
const MERGING = ['enable_nestloop', 'enable_hashjoin', 'enable_seqscan', 'enable_bitmapscan', 'enable_sort'];

/** Whether more than one index has to answer. */
export function isMerged(filter: CallFilter): boolean {
  if (filter.search !== undefined) return false;
  const given = [
    ...ownConditions(filter).map(() => true),
    filter.tag !== undefined,
    resultOf(filter) !== undefined,
    isAmongReviews(filter),
    isBesideReviewed(filter),
  ];
  return given.filter(Boolean).length > 1;
}

/** Whether what is asked for is what remains of an index beside that of what is reviewed of it. */
function isBesideReviewed(filter: CallFilter): boolean {
  return filter.review === 'open' && !isAmongReviews(filter) && hasOwnIndex(filter);
}

/** Places that match, in no order of their own: whoever asks orders them, along the index. */
export function selectMerged(workspaceId: WorkspaceId, wanted: Asked): SQL {
  const { filter } = wanted;
  const { beside, ofCalls } = streamsOf(workspaceId, wanted);
  if (!isBesideReviewed(filter)) return afterwards(sideBySide([...beside, ...ofCalls]), wanted, filter);
  // What is not reviewed first: where hardly any is left, the others are not walked to their ends.
  const open = sql`${sideBySide(ofCalls)}${withoutReviewed(workspaceId, wanted)} ${inOrder(wanted)} offset 0`;
  const merged =
    beside.length === 0 ? sql`select id, date_initiated from (${open}) open` : sideBySide([open, ...beside]);
  return afterwards(merged, wanted, { assignee: filter.assignee });
}

/** What several indexes have, each in the order of the list. */
function sideBySide([first, ...others]: readonly SQL[]): SQL {
  if (!first) throw new Error('nothing is asked for that has an index of its own');
  const joined = others.map((stream, index) => {
    const name = sql.raw(`stream_${index + 2}`);
    return sql` join (${stream}) ${name} on ${name}.date_initiated = stream_1.date_initiated and ${name}.id = stream_1.id`;
  });
  return sql`select stream_1.id, stream_1.date_initiated from (${first}) stream_1${sql.join(joined)}`;
}

/** Looks up, after the walk, what no index has: the planner would look up whatever the first one has. */
function afterwards(merged: SQL, wanted: Asked, lookedUp: Pick<CallFilter, 'assignee' | 'review'>): SQL {
  return isOfLack(lookedUp)
    ? sql`select id, date_initiated from (${merged} ${inOrder(wanted)} offset 0) merged where true${matchesReview(lookedUp)}`
    : merged;
}

/**
 * Leaves out what is reviewed: an anti-join. The planner would sort what it leaves out, were it not a query with an order of its
 * own, which `offset` keeps whole (docs/decisions/0358).
 */
function withoutReviewed(workspaceId: WorkspaceId, wanted: Asked): SQL {
  const { dateStart, dateEnd, ...rest } = wanted.filter;
  const condition = sql` and reviewed_at is not null${sql.join(ownConditions(rest))}`;
  // Of any agent and with any values: to find one with those that are asked for, it could run far ahead of the others.
  const any = { ...wanted, filter: { dateStart, dateEnd } };
  const reviewed = selectBeside(workspaceId, any, { table: 'call_reviews', condition });
  return sql` left join (${reviewed} ${inOrder(wanted)} offset 0) reviewed
    on reviewed.date_initiated = stream_1.date_initiated and reviewed.id = stream_1.id where reviewed.id is null`;
}

/** Each by an index in the order of the list. */
function streamsOf(workspaceId: WorkspaceId, wanted: Asked): { beside: SQL[]; ofCalls: SQL[] } {
  const { filter } = wanted;
  const { tag } = filter;
  const result = resultOf(filter);
  const beside: SQL[] = [];
  const addBeside = (what: Parameters<typeof selectBeside>[2]) =>
    beside.push(selectBeside(workspaceId, wanted, what));
  if (result !== undefined) addBeside({ table: 'call_results', condition: yields(result) });
  if (tag !== undefined) addBeside({ table: 'call_tags', condition: sql` and tag = ${tag}` });
  if (isAmongReviews(filter)) {
    // The index of a person has not what they have.
    const own = filter.assignee === undefined ? sql.join(ownConditions(filter)) : sql``;
    addBeside({ table: 'call_reviews', condition: sql`${amongReviews(filter)}${own}` });
  }
  const ofCalls = ownConditions(filter).map(
    (condition) =>
      sql`select id, date_initiated from calls where workspace_id = ${workspaceId} and status = 'ended'
        ${condition}${within(wanted)}${ofAgent(filter)}${withValues(filter)}`,
  );
  return { beside, ofCalls };
}

/** Rows of a query over `selectMerged`, walked side by side. */
export async function readMerged<Row extends Record<string, unknown>>(
  db: Database,
  query: SQL,
): Promise<Row[]> {
  return db.transaction(async (tx) => {
    const settings = MERGING.map((name) => sql`set_config(${name}, 'off', true)`);
    await tx.execute(
      sql`select ${sql.join(settings, sql`, `)}, set_config('max_parallel_workers_per_gather', '0', true)`,
    );
    return queryRows<Row>(tx, query);
  });
}
