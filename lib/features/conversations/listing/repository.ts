import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ResultFilter } from '#lib/features/agents/results/rules.ts';
import type { CallFilter } from '../contract.ts';
import { amongReviews, isAmongReviews, matchesReview } from './review.ts';
import { isSearchable, matchesWords } from './words.ts';
import { momentFrom } from '../rules.ts';
import { resultOf, yields } from './results.ts';

/*
 * Finds the places of conversations in the list without reading their rows: whoever asks joins the few that it shows. A
 * million conversations lie in the indexes of db/schema/calls.ts, and these are the ways through them
 * (docs/decisions/0234): in the order of the list; by the values that a filter asks for; by a tag; by parts of words.
 */

export type Place = { id: string; dateInitiated: Date };

export type Wanted = {
  filter: CallFilter;
  limit: number;
  skip?: number;
  /** The list's own order is the newest first. */
  order?: 'newest first' | 'oldest first';
  /** Only what comes after this one, in that order. */
  after?: Place | undefined;
};

/**
 * How far is looked: among so many in the order of the list, and then given up where what is looked for is rare among them;
 * or until all of it is found.
 */
type Reach = { among: number } | 'all';

type Facet = { column: 'is_test' | 'channel' | 'direction' | 'sentiment' | 'disposition'; value: string };

/** The parts of `call_facet`, in its order. */
const FACET_PARTS: readonly Facet['column'][] = [
  'is_test',
  'channel',
  'direction',
  'sentiment',
  'disposition',
];
const FACET = sql.raw('call_facet(is_test, channel, direction, sentiment, disposition)');
/** Further down, the order of the list is the shorter way even for what is rare: each combination would give so many. */
const DEEP = 1_000;
/** Whose words are read, not only their places in an index. */
const SEARCHED_FIRST = 2_000;
/** Of words too short for the index. */
const SEARCHED_MOST = 5_000;
/** What the index of words finds is put in order here, as far as this. */
const SORTED_MOST = 2_000;

/** How far is counted: along an index, where rows are found by a filter, and where they are searched. */
const COUNTED = { inOrder: 10_000, byFacet: 1_000, searched: 100 };
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
  const among = nearby(wanted);
  if (among === undefined) return read(selectPlaces(workspaceId, wanted, 'all'));
  const found = await read(selectPlaces(workspaceId, wanted, { among }));
  const isEnough = found.length >= wanted.limit || !(await hasMore(db, workspaceId, wanted, among));
  if (isEnough) return found;
  if (!isSearchable(wanted.filter.search)) return read(selectPlaces(workspaceId, wanted, 'all'));
  const few = await findFew(db, workspaceId, wanted);
  return read(few ?? selectPlaces(workspaceId, wanted, 'all'));
}

/** How many match, as far as it is quickly counted. */
export async function countPlaces(
  db: Database,
  workspaceId: WorkspaceId,
  given: Omit<Wanted, 'limit' | 'skip'>,
): Promise<Count> {
  const { filter } = given;
  const count = async (reach: Reach, most: number): Promise<Count> => {
    const places = selectPlaces(workspaceId, { ...given, limit: most + 1 }, reach, { isOrdered: false });
    const [row] = await queryRows<{ count: number }>(
      db,
      sql`select count(*)::int as count from (${places}) places`,
    );
    const found = row?.count ?? 0;
    return { count: Math.min(found, most), isExact: found <= most };
  };
  if (!isEnded(filter) || isOrderTheWay(filter)) return count('all', COUNTED.inOrder);
  const isSearch = filter.search !== undefined;
  const among = isSearch ? SEARCHED_FIRST : COUNTED_AMONG;
  const first = await count({ among }, isSearch ? COUNTED.searched : COUNTED.inOrder);
  if (!first.isExact || !(await hasMore(db, workspaceId, { ...given, limit: 0 }, among))) return first;
  const all = await count('all', isSearch ? COUNTED.searched : COUNTED.byFacet);
  return all.isExact ? all : { count: inThousands(Math.max(all.count, first.count)), isExact: false };
}

/** Where it is not exact, it should not look so. */
function inThousands(count: number): number {
  return count < 1_000 ? count : Math.floor(count / 1_000) * 1_000;
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

/**
 * What the index of words finds comes in no order. Where it is little, it is put in order and its page is given; undefined
 * where it is more.
 */
async function findFew(db: Database, workspaceId: WorkspaceId, wanted: Wanted): Promise<SQL | undefined> {
  const { limit, skip = 0 } = wanted;
  const some = { ...wanted, limit: SORTED_MOST + 1, skip: 0 };
  const found = await queryRows<{ id: string; date_initiated: string | Date }>(
    db,
    selectPlaces(workspaceId, some, 'all', { isOrdered: false }),
  );
  if (found.length > SORTED_MOST) return undefined;
  const ids = found.map(({ id }) => id);
  return sql`select id, date_initiated from calls where id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
    ${inOrder(wanted)} limit ${sql.raw(String(limit))} offset ${skip}`;
}

function isEnded(filter: CallFilter): boolean {
  // Tags, results and reviews are what the end of a conversation brings.
  const asked = [filter.tag, filter.result, filter.review, filter.assignee];
  const isOfEnded = asked.some((each) => each !== undefined);
  return filter.status === 'ended' || (filter.status === undefined && isOfEnded);
}

function isOrderTheWay(filter: CallFilter): boolean {
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
  const open = sql`select id, date_initiated from calls
    where workspace_id = ${workspaceId} and status <> 'ended'${ofStatus(filter)}${matchesRow(wanted)}`;
  if (filter.status !== undefined) return sql`${open} ${page}`;
  const head = { ...wanted, limit: limit + skip, skip: 0 };
  const ended = sql`${selectEnded(workspaceId, head, { reach: 'all', isDeep })} ${orderedPage(head)}`;
  return sql`select * from ((${ended}) union all (${open} ${orderedPage(head)})) both_parts ${page}`;
}

/** Without its order and its end, which the caller adds. */
function selectEnded(
  workspaceId: WorkspaceId,
  wanted: Wanted,
  { reach, isDeep }: { reach: Reach; isDeep: boolean },
): SQL {
  const { filter } = wanted;
  if (hasOwnIndex(filter))
    return sql`select id, date_initiated from calls
      where workspace_id = ${workspaceId} and status = 'ended'${matchesRow(wanted)}`;
  if (filter.search !== undefined) return selectSearched(workspaceId, wanted, reach);
  const result = resultOf(filter);
  if (result !== undefined) return selectYielded(workspaceId, wanted, result);
  if (filter.tag !== undefined) return selectTagged(workspaceId, wanted, filter.tag);
  if (isAmongReviews(filter)) return selectReviewed(workspaceId, wanted);
  const all = sql`calls where ${endedIn(workspaceId, wanted)}`;
  if (reach !== 'all' && !isOrderTheWay(filter))
    return sql`select id, date_initiated from (
      select id, date_initiated, agent_id, is_test, channel, direction, sentiment, disposition
      from ${all} ${inOrder(wanted)} limit ${sql.raw(String(reach.among))}
    ) nearby where true${ofAgent(filter)}${withValues(filter)}${matchesReview(filter)}`;
  return isDeep || isOrderTheWay(filter)
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

function selectTagged(workspaceId: WorkspaceId, wanted: Wanted, tag: string): SQL {
  return sql`select id, date_initiated from (
      select call_id as id, date_initiated, agent_id, facet from call_tags
      where workspace_id = ${workspaceId} and tag = ${tag}
    ) tagged where true${ofListed(wanted)}${matchesReview(wanted.filter)}`;
}

function selectReviewed(workspaceId: WorkspaceId, wanted: Wanted): SQL {
  return sql`select id, date_initiated from (
      select call_id as id, date_initiated, agent_id, facet from call_reviews
      where workspace_id = ${workspaceId}${amongReviews(wanted.filter)}
    ) reviewed where true${ofListed(wanted)}`;
}

/** What is asked of rows of the tables beside the list. */
function ofListed(wanted: Wanted): SQL {
  return sql`${within(wanted)}${ofAgent(wanted.filter)}${inFacet(wanted.filter)}`;
}

function selectYielded(workspaceId: WorkspaceId, wanted: Wanted, result: ResultFilter): SQL {
  const { filter } = wanted;
  const tag =
    filter.tag === undefined
      ? sql``
      : sql` and exists (select from call_tags where call_id = id and tag = ${filter.tag})`;
  return sql`select id, date_initiated from (
      select call_id as id, date_initiated, agent_id, facet from call_results
      where workspace_id = ${workspaceId}${yields(result)}
    ) yielded where true${ofListed(wanted)}${tag}${matchesReview(filter)}`;
}

/** Among the first places that the rest of the filter leaves; or with the index of words. */
function selectSearched(workspaceId: WorkspaceId, wanted: Wanted, reach: Reach): SQL {
  const { search, ...filter } = wanted.filter;
  if (reach === 'all' && isSearchable(search))
    return sql`select id, date_initiated from calls where ${endedIn(workspaceId, wanted)}${matchesRow(wanted)}`;
  const first = { ...wanted, filter, skip: 0, limit: reach === 'all' ? SEARCHED_MOST : reach.among };
  const places = sql`${selectEnded(workspaceId, first, { reach: 'all', isDeep: false })} ${orderedPage(first)}`;
  return sql`select calls.id, calls.date_initiated from (${places}) places, calls
    where calls.id = places.id${matchesRow({ filter: { search } })}`;
}

/** Campaigns and prompts have an index of their own, whatever else is asked. */
function hasOwnIndex({ campaignId, promptId }: CallFilter): boolean {
  return campaignId !== undefined || promptId !== undefined;
}

function facetsOf(filter: CallFilter): Facet[] {
  const { channel, direction, sentiment, disposition, tests } = filter;
  const given = { is_test: tests, channel, direction, sentiment, disposition };
  return FACET_PARTS.flatMap((column) => {
    const value = given[column];
    return value === undefined ? [] : [{ column, value }];
  });
}

/** What is asked of rows of `calls`, beside their workspace and their status. */
function matchesRow(wanted: Pick<Wanted, 'filter' | 'after' | 'order'>): SQL {
  const { filter } = wanted;
  const tag = filter.tag === undefined ? sql`` : sql` and tags @> array[${filter.tag}]`;
  const words = filter.search === undefined ? sql`` : matchesWords(filter.search);
  const { campaignId } = filter;
  const campaign = campaignId === undefined ? sql`` : sql` and campaign_id = ${campaignId}`;
  const asked = resultOf(filter);
  const result =
    asked === undefined
      ? sql``
      : sql` and exists (select from call_results where call_id = id${yields(asked)})`;
  const prompt = filter.promptId === undefined ? sql`` : sql` and outbound_prompt_id = ${filter.promptId}`;
  return sql`${within(wanted)}${ofAgent(filter)}${campaign}${prompt}${withValues(filter)}${tag}${result}${words}${matchesReview(filter)}`;
}

function ofStatus({ status }: CallFilter): SQL {
  if (status === undefined) return sql``;
  return status === 'live' ? sql` and status <> 'ended'` : sql` and status = ${status}`;
}

function endedIn(workspaceId: WorkspaceId, wanted: Wanted): SQL {
  return sql`workspace_id = ${workspaceId} and status = 'ended'${within(wanted)}`;
}

function orderedPage(wanted: Wanted): SQL {
  const { limit, skip = 0 } = wanted;
  const offset = skip === 0 ? sql`` : sql` offset ${skip}`;
  return sql`${inOrder(wanted)} limit ${sql.raw(String(limit))}${offset}`;
}

function inOrder({ order }: Pick<Wanted, 'order'>): SQL {
  return order === 'oldest first'
    ? sql`order by date_initiated, id`
    : sql`order by date_initiated desc, id desc`;
}

function within({ filter, after, order }: Pick<Wanted, 'filter' | 'after' | 'order'>): SQL {
  const conditions: SQL[] = [];
  const { dateStart, dateEnd } = filter;
  if (dateStart !== undefined)
    conditions.push(sql` and date_initiated >= ${momentFrom(dateStart).toISOString()}`);
  if (dateEnd !== undefined)
    conditions.push(sql` and date_initiated <= ${momentFrom(dateEnd).toISOString()}`);
  if (after) {
    const place = sql`(${after.dateInitiated.toISOString()}, ${after.id})`;
    conditions.push(
      order === 'oldest first'
        ? sql` and (date_initiated, id) > ${place}`
        : sql` and (date_initiated, id) < ${place}`,
    );
  }
  return sql.join(conditions);
}

function ofAgent({ agentId }: CallFilter): SQL {
  return agentId === undefined ? sql`` : sql` and agent_id = ${agentId}`;
}

function withValues(filter: CallFilter): SQL {
  const conditions = facetsOf(filter).map(({ column, value }) =>
    column === 'is_test'
      ? sql` and is_test = ${value === 'only'}`
      : sql` and ${sql.identifier(column)} = ${value}`,
  );
  return sql.join(conditions);
}

function inFacet(filter: CallFilter): SQL {
  const conditions = facetsOf(filter).map(({ column, value }) => {
    const part = sql.raw(String(FACET_PARTS.indexOf(column) + 1));
    return sql` and split_part(facet, ' ', ${part}) = ${value}`;
  });
  return sql.join(conditions);
}
