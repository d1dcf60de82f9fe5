import { type SQL, sql } from 'drizzle-orm';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallFilter } from '../contract.ts';
import { momentFrom } from '../rules.ts';
import { inFacet, withValues } from './facets.ts';
import { resultOf, yields } from './results.ts';
import { matchesReview } from './review.ts';
import { matchesWords } from './words.ts';

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

/** Campaigns, prompts and versions have an index of their own, whatever else is asked. */
export function hasOwnIndex(filter: CallFilter): boolean {
  return ownConditions(filter).length > 0;
}

/** What they ask of a row of `calls` or of `call_reviews`, each for itself. */
export function ownConditions({ campaignId, promptId, versionId }: CallFilter): SQL[] {
  const asked: SQL[] = [];
  if (campaignId !== undefined) asked.push(sql` and campaign_id = ${campaignId}`);
  if (promptId !== undefined) asked.push(sql` and outbound_prompt_id = ${promptId}`);
  if (versionId !== undefined) asked.push(sql` and agent_version_id = ${versionId}`);
  return asked;
}

/** What is asked of rows of `calls`, beside their workspace and their status. */
export function matchesRow(wanted: Pick<Wanted, 'filter' | 'after' | 'order'>): SQL {
  const { filter } = wanted;
  const tag = filter.tag === undefined ? sql`` : sql` and tags @> array[${filter.tag}]`;
  const words = filter.search === undefined ? sql`` : matchesWords(filter.search);
  const asked = resultOf(filter);
  const result =
    asked === undefined
      ? sql``
      : sql` and exists (select from call_results where call_id = id${yields(asked)})`;
  const own = sql.join(ownConditions(filter));
  return sql`${within(wanted)}${ofAgent(filter)}${own}${withValues(filter)}${tag}${result}${words}${matchesReview(filter)}`;
}

type Beside = { table: 'call_tags' | 'call_results' | 'call_reviews'; condition: SQL };

/** Places in a table beside the list, with an index in its order that has behind it what filters ask of a row. */
export function selectBeside(
  workspaceId: WorkspaceId,
  wanted: Pick<Wanted, 'filter' | 'after' | 'order'>,
  { table, condition }: Beside,
): SQL {
  return sql`select id, date_initiated from (
      select call_id as id, date_initiated, agent_id, facet from ${sql.identifier(table)}
      where workspace_id = ${workspaceId}${condition}
    ) beside where true${within(wanted)}${ofAgent(wanted.filter)}${inFacet(wanted.filter)}`;
}

export function ofStatus({ status }: CallFilter): SQL {
  if (status === undefined) return sql``;
  return status === 'live' ? sql` and status <> 'ended'` : sql` and status = ${status}`;
}

export function endedIn(workspaceId: WorkspaceId, wanted: Wanted): SQL {
  return sql`workspace_id = ${workspaceId} and status = 'ended'${within(wanted)}`;
}

export function orderedPage(wanted: Wanted): SQL {
  const { limit, skip = 0 } = wanted;
  const offset = skip === 0 ? sql`` : sql` offset ${skip}`;
  return sql`${inOrder(wanted)} limit ${sql.raw(String(limit))}${offset}`;
}

export function inOrder({ order }: Pick<Wanted, 'order'>): SQL {
  return order === 'oldest first'
    ? sql`order by date_initiated, id`
    : sql`order by date_initiated desc, id desc`;
}

export function within({ filter, after, order }: Pick<Wanted, 'filter' | 'after' | 'order'>): SQL {
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

export function ofAgent({ agentId }: CallFilter): SQL {
  return agentId === undefined ? sql`` : sql` and agent_id = ${agentId}`;
}
