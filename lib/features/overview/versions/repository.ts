import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { dayFigures } from '#db/schema/figures.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { asList, countConversations, type Sums, SUMS, summed, withoutCompiling } from '../repository.ts';
import { DURATION_STEPS_SECONDS, type Span } from '../rules.ts';

/** What conversations that were held with a version came to. `results`: by `name:type`, asked for, found, and found to be yes. */
export type VersionSums = Sums & {
  versionId: string;
  durations: number[];
  results: Record<string, [number, number, number]>;
};

/**
 * Sums by version of an agent: of whole days that are added up, from the first to the last of them, and of spans beside
 * them, from their conversations. The versions with the most conversations, at most `limit`, and `always`.
 */
export async function readVersionFigures(
  db: Database,
  workspaceId: WorkspaceId,
  asked: { agentId: string; days: Span | undefined; spans: readonly Span[]; always: string[]; limit: number },
): Promise<VersionSums[]> {
  const { agentId, days, spans, always, limit } = asked;
  const columns = sql.raw(
    'agent_version_id, calls, chats, outbound, reached, seconds, cost, outcomes, sentiments, answer_times, durations, results',
  );
  const ofAgent = sql` and agent_id = ${agentId}`;
  const rest = sql`select ${columns} from (${countConversations(workspaceId, spans, ofAgent)}) rest`;
  const stored = days
    ? sql`select ${columns} from ${dayFigures} where workspace_id = ${workspaceId}${ofAgent}
        and starts_at >= ${days.startsAt.toISOString()} and starts_at < ${days.endsAt.toISOString()}`
    : undefined;
  const query = sql`with source as materialized (${stored ? sql`${stored} union all ${rest}` : rest}),
    yielded as (
      select agent_version_id, jsonb_object_agg(field, counts) as results from (
        select agent_version_id, field, jsonb_build_array(
          sum((counted->>0)::int), sum((counted->>1)::int), sum((counted->>2)::int)) as counts
        from source, jsonb_each(results) as each(field, counted) group by 1, 2
      ) fields group by 1
    )
    select agent_version_id as "versionId", ${SUMS}, ${summed('durations', DURATION_STEPS_SECONDS.length + 1)} as durations,
      coalesce((select results from yielded where yielded.agent_version_id = source.agent_version_id), '{}') as results
    from source where agent_version_id <> ''
    group by agent_version_id
    order by agent_version_id = any(${`{${always.join(',')}}`}::text[]) desc, sum(calls + chats) desc, agent_version_id
    limit ${sql.raw(String(limit))}`;
  const rows = await withoutCompiling(db, (tx) =>
    queryRows<{ listed: VersionSums[] }>(tx, sql`select (${asList(query)}) as listed`),
  );
  return rows[0]?.listed ?? [];
}
