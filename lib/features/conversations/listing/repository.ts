import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ResultFilter } from '#lib/features/agents/results/rules.ts';
import type { CallFilter } from '../contract.ts';
import {
  endedIn,
  hasOwnIndex,
  inOrder,
  matchesRow,
  ofAgent,
  ofStatus,
  orderedPage,
  selectBeside,
  within,
  type Wanted,
} from './conditions.ts';
import { facetsOf, inFacet, withValues } from './facets.ts';
import { isMerged, readMerged, selectMerged } from './merged.ts';
import { amongReviews, isAmongReviews, isOfLack, matchesReview } from './review.ts';
import { findInWindows, type Found, ofWorkspace } from './windows.ts';
import { isSearchable } from './words.ts';
import { resultOf, yields } from './results.ts';

/*
 * Finds the places of conversations in the list without reading their rows: whoever asks joins the few that it shows. A
 * million conversations lie in the indexes of db/schema/calls.ts, and these are the ways through them
 * (docs/decisions/0234): in the order of the list; by the values that a filter asks for; by a tag; by parts of words.
 */

/**
 * How far is looked: among so many in the order of the list, and then given up where what is looked for is rare among them;
 * or until all of it is found, by the shortest way or in the order of the list.
 */
type Reach = { among: number } | 'all' | 'all in order';

const FACET = sql.raw('call_facet(is_test, channel, direction, sentiment, disposition)');
/** Further down, the order of the list is the shorter way even for what is rare: each combination would give so many. */
const DEEP = 1_000;
/** Whose words are read, not only their places in an index. */
const SEARCHED_FIRST = 2_000;
/** Of words too short for the index. */
const SEARCHED_MOST = 5_000;
/** Of reviews, one by one. */
const LOOKED_UP_MOST = 5_000;

/** How far is counted: along an index, where rows are found by a filter, looked up one by one, and where they are searched. */
const COUNTED = { inOrder: 10_000, byFacet: 1_000, lookedUp: 500, searched: 100 };
const COUNTED_AMONG = 20_000;

/** How many match: exactly, or more than `count`. */
export type Count = { count: number; isExact: boolean };

/**
 * Asks `read` for what is wanted with a query of the places, `id` and `date_initiated` in the wanted order; and once more,
 * with a query that finds whatever there is, where a quick one was not enough.
 */
export async function findPlaces<Found extends { readonly length: number }>(
  db: Database,
  workspaceId: WorkspaceId,
  wanted: Wanted,
  read: (places: SQL) => Promise<Found>,
): Promise<Found> {
  if (isSearchOfEnded(wanted.filter)) return read(await selectSearchFound(db, workspaceId, wanted));
  const among = nearby(wanted);
  if (among === undefined) return read(await selectWhole(db, workspaceId, wanted));
  const found = await read(selectPlaces(workspaceId, wanted, { among }));
  const isEnough = found.length >= wanted.limit || !(await hasMore(db, workspaceId, wanted, among));
  if (isEnough) return found;
  return read(await selectWhole(db, workspaceId, wanted));
}

/** The places, or where several indexes answer together, what they came to. */
async function selectWhole(db: Database, workspaceId: WorkspaceId, wanted: Wanted): Promise<SQL> {
  if (await isManyUnreviewed(db, workspaceId, wanted))
    return selectPlaces(workspaceId, wanted, 'all in order');
  if (!isEnded(wanted.filter) || !isMerged(wanted.filter)) return selectPlaces(workspaceId, wanted, 'all');
  const merged = selectMerged(workspaceId, wanted);
  const found = await readMerged<{ id: string }>(db, sql`${merged} ${orderedPage(wanted)}`);
  return selectThese(found, { ...wanted, skip: 0 });
}

/**
 * Each of what has no review is looked up, so each combination of values would pass all its reviewed ones; where the rest of
 * the filter leaves many, some are found sooner in the order of the list.
 */
async function isManyUnreviewed(
  db: Database,
  workspaceId: WorkspaceId,
  { filter, ...given }: Omit<Wanted, 'limit' | 'skip'>,
): Promise<boolean> {
  const rest = { ...filter, review: undefined, assignee: undefined };
  if (!isOfLack(filter) || !isEnded(filter) || filter.search !== undefined || isOrderTheWay(rest))
    return false;
  const places = selectPlaces(
    workspaceId,
    { ...given, filter: { ...rest, status: 'ended' }, limit: LOOKED_UP_MOST + 1 },
    'all',
    { isOrdered: false },
  );
  return (await countRows(db, places)) > LOOKED_UP_MOST;
}

/** Places that were found. */
function selectThese(found: readonly { id: string }[], wanted: Wanted): SQL {
  const ids = JSON.stringify(found.map(({ id }) => id));
  return sql`select id, date_initiated from calls where id in (select jsonb_array_elements_text(${ids}::jsonb))
    ${orderedPage(wanted)}`;
}

/** How many match, as far as it is quickly counted. */
export async function countPlaces(
  db: Database,
  workspaceId: WorkspaceId,
  given: Omit<Wanted, 'limit' | 'skip'>,
): Promise<Count> {
  const { filter } = given;
  // The newest are those that nobody reviewed yet: in another order many would be looked up for each that counts.
  const isOrdered = isOfLack(filter);
  const count = async (reach: Reach, far: number): Promise<Count> => {
    const most = isOrdered ? Math.min(far, COUNTED.lookedUp) : far;
    const places = selectPlaces(workspaceId, { ...given, limit: most + 1 }, reach, { isOrdered });
    return upTo(most, await countRows(db, places));
  };
  if (isEnded(filter) && isMerged(filter)) return countMerged(db, workspaceId, given);
  if (isSearchOfEnded(filter) && !isEnded(filter)) {
    const of = (status: 'ended' | 'live') =>
      countPlaces(db, workspaceId, { ...given, filter: { ...filter, status } });
    const [ended, open] = [await of('ended'), await of('live')];
    return { count: ended.count + open.count, isExact: ended.isExact && open.isExact };
  }
  if (!isEnded(filter) || isOrderTheWay(filter)) return count('all', COUNTED.inOrder);
  const isSearch = filter.search !== undefined;
  const among = isSearch ? SEARCHED_FIRST : COUNTED_AMONG;
  const first = await count({ among }, isSearch ? COUNTED.searched : COUNTED.inOrder);
  if (!first.isExact || !(await hasMore(db, workspaceId, { ...given, limit: 0 }, among))) return first;
  const reach = (await isManyUnreviewed(db, workspaceId, given)) ? 'all in order' : 'all';
  const all = await count(reach, isSearch ? COUNTED.searched : COUNTED.byFacet);
  return all.isExact ? all : { count: Math.max(all.count, first.count), isExact: false };
}

async function countMerged(
  db: Database,
  workspaceId: WorkspaceId,
  given: Omit<Wanted, 'limit' | 'skip'>,
): Promise<Count> {
  const merged = selectMerged(workspaceId, given);
  const most = sql.raw(String(COUNTED.byFacet + 1));
  // In their order: without it the planner would sort.
  const ordered = sql`${merged} ${inOrder(given)} limit ${most}`;
  return upTo(COUNTED.byFacet, await countRows(db, ordered, readMerged));
}

async function countRows(db: Database, places: SQL, read: typeof readMerged = queryRows): Promise<number> {
  const [row] = await read<{ count: number }>(db, sql`select count(*)::int as count from (${places}) places`);
  return row?.count ?? 0;
}

function upTo(most: number, found: number): Count {
  return { count: Math.min(found, most), isExact: found <= most };
}

/** Whether a conversation is in the list that the filter makes. */
export async function isListed(
  db: Database,
  workspaceId: WorkspaceId,
  filter: CallFilter,
  callId: string,
): Promise<boolean> {
  const rows = await queryRows(
    db,
    sql`select id from calls where id = ${callId} and workspace_id = ${workspaceId}${ofStatus(filter)}${matchesRow({ filter })}`,
  );
  return rows.length > 0;
}

/** How many are looked at first; undefined where all that there are lie in the order of the list, or are deep in it. */
function nearby({ filter, limit, skip = 0 }: Wanted): number | undefined {
  if (!isEnded(filter) || isOrderTheWay(filter)) return undefined;
  if (filter.search !== undefined) return SEARCHED_FIRST;
  // As many more as let a filter that one of twenty matches fill its page.
  return limit + skip > DEEP ? undefined : 2_000 + 20 * powerOfTwo(limit + skip);
}

/** Few numbers stand in statements, so that they come again and are kept prepared. */
function powerOfTwo(count: number): number {
  return count === 0 ? 0 : 2 ** Math.ceil(Math.log2(count));
}

async function hasMore(db: Database, workspaceId: WorkspaceId, wanted: Wanted, among: number) {
  const rows = await queryRows(
    db,
    sql`select id from calls where ${endedIn(workspaceId, wanted)} ${inOrder(wanted)} limit 1 offset ${sql.raw(String(among))}`,
  );
  return rows.length > 0;
}

/** Whether the index of words finds it. */
function isSearchOfEnded(filter: CallFilter): boolean {
  return isSearchable(filter.search) && (filter.status === undefined || filter.status === 'ended');
}

/** Words that many have fill the page among the newest; others are found by the index. */
async function selectSearchFound(db: Database, workspaceId: WorkspaceId, wanted: Wanted): Promise<SQL> {
  const { limit, skip = 0, order = 'newest first', filter } = wanted;
  const head = { ...wanted, filter: { ...filter, status: 'ended' as const }, limit: limit + skip, skip: 0 };
  let found = await queryRows<Found>(db, selectPlaces(workspaceId, head, { among: SEARCHED_FIRST }));
  if (found.length < head.limit && (await hasMore(db, workspaceId, head, SEARCHED_FIRST))) {
    const matches = sql`select id, date_initiated from calls where ${endedIn(workspaceId, head)}${matchesRow(head)}`;
    const page = (atMost: number) => sql`limit ${sql.raw(String(atMost))}`;
    found = await findInWindows(workspaceId, {
      limit: head.limit,
      order,
      span: await spanOf(db, workspaceId, head),
      some: (window, atMost) => queryRows<Found>(db, sql`${matches}${window} ${page(atMost)}`),
      first: (window, atMost) =>
        queryRows<Found>(db, sql`${matches}${window} ${inOrder(head)} ${page(atMost)}`),
    });
  }
  if (isEnded(filter)) return selectThese(found, wanted);
  return sql`select * from ((${selectThese(found, head)}) union all (${selectOpen(workspaceId, wanted)} ${orderedPage(head)})) both_parts
    ${orderedPage(wanted)}`;
}

/** From the oldest to the newest that a search has to look at. */
async function spanOf(db: Database, workspaceId: WorkspaceId, wanted: Wanted) {
  const ended = sql`select date_initiated from calls where ${endedIn(workspaceId, wanted)}`;
  const at = (order: 'newest first' | 'oldest first') =>
    sql`(extract(epoch from (${ended} ${inOrder({ order })} limit 1)) * 1000)::float8`;
  const [row] = await queryRows<{ from: number | null; to: number | null }>(
    db,
    sql`select ${at('oldest first')} as "from", ${at('newest first')} as "to"`,
  );
  // Nothing there is a span without windows.
  return { from: row?.from ?? 1, to: row?.to ?? -1 };
}

function isEnded(filter: CallFilter): boolean {
  // Tags, results and reviews are what the end of a conversation brings.
  const asked = [filter.tag, filter.result, filter.review, filter.assignee];
  const isOfEnded = asked.some((each) => each !== undefined);
  return filter.status === 'ended' || (filter.status === undefined && isOfEnded);
}

function isOrderTheWay(filter: CallFilter): boolean {
  if (isSearchable(filter.search)) return false;
  if (hasOwnIndex(filter)) return true;
  if (filter.search !== undefined) return false;
  if (filter.tag !== undefined || filter.result !== undefined || isAmongReviews(filter)) return true;
  return filter.agentId === undefined && facetsOf(filter).length === 0;
}

function selectPlaces(
  workspaceId: WorkspaceId,
  wanted: Wanted,
  reach: Reach,
  { isOrdered = true } = {},
): SQL {
  const { filter, limit, skip = 0 } = wanted;
  const page = isOrdered ? orderedPage(wanted) : sql`limit ${sql.raw(String(limit))}`;
  const isDeep = isOrdered && limit + skip > DEEP;
  if (isEnded(filter)) return sql`${selectEnded(workspaceId, wanted, { reach, isDeep })} ${page}`;
  const open = selectOpen(workspaceId, wanted);
  if (filter.status !== undefined) return sql`${open} ${page}`;
  const head = { ...wanted, limit: limit + skip, skip: 0 };
  const ended = sql`${selectEnded(workspaceId, head, { reach: 'all', isDeep })} ${orderedPage(head)}`;
  return sql`select * from ((${ended}) union all (${open} ${orderedPage(head)})) both_parts ${page}`;
}

/** What has not ended, of the status that is asked for. */
function selectOpen(workspaceId: WorkspaceId, wanted: Wanted): SQL {
  return sql`select id, date_initiated from calls
    where workspace_id = ${workspaceId} and status <> 'ended'${ofStatus(wanted.filter)}${matchesRow(wanted)}`;
}

/** Without its order and its end, which the caller adds. */
function selectEnded(
  workspaceId: WorkspaceId,
  wanted: Wanted,
  { reach, isDeep }: { reach: Reach; isDeep: boolean },
): SQL {
  const { filter } = wanted;
  if (hasOwnIndex(filter) && !isSearchable(filter.search))
    return sql`select id, date_initiated from calls
      where workspace_id = ${workspaceId} and status = 'ended'${matchesRow(wanted)}`;
  if (filter.search !== undefined) return selectSearched(workspaceId, wanted, reach);
  const result = resultOf(filter);
  if (result !== undefined) return selectYielded(workspaceId, wanted, result);
  if (filter.tag !== undefined) {
    const tagged = { table: 'call_tags', condition: sql` and tag = ${filter.tag}` } as const;
    return sql`${selectBeside(workspaceId, wanted, tagged)}${matchesReview(filter)}`;
  }
  if (isAmongReviews(filter))
    return selectBeside(workspaceId, wanted, { table: 'call_reviews', condition: amongReviews(filter) });
  const all = sql`calls where ${endedIn(workspaceId, wanted)}`;
  if (typeof reach !== 'string' && !isOrderTheWay(filter))
    return sql`select id, date_initiated from (
      select id, date_initiated, agent_id, is_test, channel, direction, sentiment, disposition
      from ${all} ${inOrder(wanted)} limit ${sql.raw(String(reach.among))}
    ) nearby where true${ofAgent(filter)}${withValues(filter)}${matchesReview(filter)}`;
  return isDeep || reach === 'all in order' || isOrderTheWay(filter)
    ? sql`select id, date_initiated from ${all}${ofAgent(filter)}${withValues(filter)}${matchesReview(filter)}`
    : selectByFacet(workspaceId, wanted);
}

/** The combinations of values that there are, one look-up each, and of those that the filter takes a page each. */
function selectByFacet(workspaceId: WorkspaceId, wanted: Wanted): SQL {
  const { filter, limit, skip = 0 } = wanted;
  const all = sql`calls where workspace_id = ${workspaceId} and status = 'ended'${ofAgent(filter)}`;
  return sql`with recursive facets as (
      (select ${FACET} as facet from ${all} order by ${FACET} limit 1)
      union all
      select (select ${FACET} from ${all} and ${FACET} > facet order by ${FACET} limit 1)
      from facets where facet is not null
    )
    select found.id, found.date_initiated from facets, lateral (
      select id, date_initiated from ${all} and ${FACET} = facet${within(wanted)}${matchesReview(filter)}
      ${inOrder(wanted)} limit ${sql.raw(String(powerOfTwo(limit + skip)))}
    ) found where facet is not null${inFacet(filter)}`;
}

function selectYielded(workspaceId: WorkspaceId, wanted: Wanted, result: ResultFilter): SQL {
  const { filter } = wanted;
  const tag =
    filter.tag === undefined
      ? sql``
      : sql` and exists (select from call_tags where call_id = id and tag = ${filter.tag})`;
  const yielded = selectBeside(workspaceId, wanted, { table: 'call_results', condition: yields(result) });
  return sql`${yielded}${tag}${matchesReview(filter)}`;
}

/** Among the first places that the rest of the filter leaves; or with the index of words. */
function selectSearched(workspaceId: WorkspaceId, wanted: Wanted, reach: Reach): SQL {
  const { search, ...filter } = wanted.filter;
  if (reach === 'all' && isSearchable(search))
    return sql`select id, date_initiated from calls where ${endedIn(workspaceId, wanted)}${matchesRow(wanted)}
      ${ofWorkspace(workspaceId)}`;
  const first = {
    ...wanted,
    filter,
    skip: 0,
    limit: typeof reach === 'string' ? SEARCHED_MOST : reach.among,
  };
  const places = sql`${selectEnded(workspaceId, first, { reach: 'all', isDeep: false })} ${orderedPage(first)}`;
  return sql`select calls.id, calls.date_initiated from (${places}) places, calls
    where calls.id = places.id${matchesRow({ filter: { search } })}`;
}
