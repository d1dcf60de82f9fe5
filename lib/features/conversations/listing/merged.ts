import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallFilter } from '../contract.ts';
import { ofAgent, selectBeside, type Wanted, within } from './conditions.ts';
import { withValues } from './facets.ts';
import { resultOf, yields } from './results.ts';
import { amongReviews, isAmongReviews, matchesReview } from './review.ts';

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
  const { campaignId, promptId, versionId, tag } = filter;
  const given = [
    campaignId !== undefined,
    promptId !== undefined,
    versionId !== undefined,
    tag !== undefined,
    resultOf(filter) !== undefined,
    isAmongReviews(filter),
  ];
  return given.filter(Boolean).length > 1;
}

/** Places that match, in no order of their own: whoever asks orders them, along the index. */
export function selectMerged(workspaceId: WorkspaceId, wanted: Asked): SQL {
  const { filter } = wanted;
  const [first, ...others] = streamsOf(workspaceId, wanted);
  if (!first) throw new Error('nothing is asked for that has an index of its own');
  const joined = others.map((stream, index) => {
    const name = sql.raw(`stream_${index + 2}`);
    return sql` join (${stream}) ${name} on ${name}.date_initiated = stream_1.date_initiated and ${name}.id = stream_1.id`;
  });
  const unreviewed = isAmongReviews(filter) ? sql`` : matchesReview(filter, sql`stream_1.id`);
  return sql`select stream_1.id, stream_1.date_initiated from (${first}) stream_1${sql.join(joined)} where true${unreviewed}`;
}

/** Each by an index in the order of the list. */
function streamsOf(workspaceId: WorkspaceId, wanted: Asked): SQL[] {
  const { filter } = wanted;
  const { campaignId, promptId, versionId, tag } = filter;
  const result = resultOf(filter);
  const streams: SQL[] = [];
  const addBeside = (beside: Parameters<typeof selectBeside>[2]) =>
    streams.push(selectBeside(workspaceId, wanted, beside));
  if (result !== undefined) addBeside({ table: 'call_results', condition: yields(result) });
  if (tag !== undefined) addBeside({ table: 'call_tags', condition: sql` and tag = ${tag}` });
  if (isAmongReviews(filter)) addBeside({ table: 'call_reviews', condition: amongReviews(filter) });
  const ofCalls = (condition: SQL) =>
    sql`select id, date_initiated from calls where workspace_id = ${workspaceId} and status = 'ended'
      ${condition}${within(wanted)}${ofAgent(filter)}${withValues(filter)}`;
  if (campaignId !== undefined) streams.push(ofCalls(sql`and campaign_id = ${campaignId}`));
  if (promptId !== undefined) streams.push(ofCalls(sql`and outbound_prompt_id = ${promptId}`));
  if (versionId !== undefined) streams.push(ofCalls(sql`and agent_version_id = ${versionId}`));
  return streams;
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
