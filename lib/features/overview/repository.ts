import { type SQL, sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { calls, turns } from '#db/schema/calls.ts';
import { dayFigures, figureChanges, figureDays } from '#db/schema/figures.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import { ANSWER_TIME_STEPS_MS, DURATION_STEPS_SECONDS, type Span } from './rules.ts';

/** Figures as sums; arrays in the order of what they count. */
export type Sums = {
  calls: number;
  chats: number;
  outbound: number;
  reached: number;
  seconds: number;
  cost: number;
  outcomes: number[];
  sentiments: number[];
  answerTimes: number[];
};
/** Of one agent or prompt, in the range or before it. */
type PartSums = Sums & { isCurrent: boolean };

export type Figures = {
  /** By the number of the period, from 1; 0 is what was before. Those without conversations are left out. */
  periods: (Sums & { period: number })[];
  agents: (PartSums & { agentId: string; name: string; isDeleted: boolean })[];
  /** `title`: null where the prompt was deleted. */
  prompts: (PartSums & { promptId: string; title: string | null; agentId: string; agentName: string })[];
  tags: { tag: string; calls: number; before: number; periods: Record<string, number> }[];
  /** How many tags there are besides. */
  otherTags: number;
};

const PARTS_SHOWN = 50;
const TAGS_SHOWN = 12;

/** As one value, however many they are. */
const moments = (dates: readonly Date[]) =>
  sql`${`{${dates.map((date) => date.toISOString()).join(',')}}`}::timestamptz[]`;

const spansOf = (spans: readonly Span[]) =>
  sql`unnest(${moments(spans.map(({ startsAt }) => startsAt))}, ${moments(spans.map(({ endsAt }) => endsAt))}) as span(starts_at, ends_at)`;

/** Of these days, those that were never added up, or have changed since. */
export async function listStaleDays(
  db: Database,
  workspaceId: WorkspaceId,
  days: readonly Span[],
): Promise<Span[]> {
  const rows = await queryRows<{ startsAt: number }>(
    db,
    sql`select (extract(epoch from span.starts_at) * 1000)::float8 as "startsAt" from ${spansOf(days)}
      where not exists (select from ${figureDays} day
          where day.workspace_id = ${workspaceId} and day.starts_at = span.starts_at and day.ends_at = span.ends_at)
        or exists (select from ${figureChanges} change where change.workspace_id = ${workspaceId}
          and change.date_initiated >= span.starts_at and change.date_initiated < span.ends_at)`,
  );
  const stale = new Set(rows.map(({ startsAt }) => startsAt));
  return days.filter(({ startsAt }) => stale.has(startsAt.getTime()));
}

/**
 * Adds these days up anew. What changes while it does stays noted, and is added up the next time. Days of another time zone
 * that overlap go, so that no conversation counts twice.
 */
export async function addUpDays(
  db: Database,
  workspaceId: WorkspaceId,
  days: readonly Span[],
): Promise<void> {
  await withoutCompiling(db, async (tx) => {
    // One at a time: of two, the one that began earlier could write the older figures last.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext('day_figures'), hashtext(${workspaceId}))`);
    const overlap = sql`select day.starts_at from ${figureDays} day, ${spansOf(days)}
      where day.workspace_id = ${workspaceId} and day.starts_at < span.ends_at and day.ends_at > span.starts_at`;
    await tx.execute(sql`delete from ${figureChanges} change using ${spansOf(days)}
      where change.workspace_id = ${workspaceId}
        and change.date_initiated >= span.starts_at and change.date_initiated < span.ends_at`);
    await tx.execute(
      sql`delete from ${dayFigures} where workspace_id = ${workspaceId} and starts_at in (${overlap})`,
    );
    await tx.execute(
      sql`delete from ${figureDays} where workspace_id = ${workspaceId} and starts_at in (${overlap})`,
    );
    await tx.execute(sql`insert into ${figureDays} (workspace_id, starts_at, ends_at)
      select ${workspaceId}, starts_at, ends_at from ${spansOf(days)}`);
    await tx.execute(sql`insert into ${dayFigures} (workspace_id, starts_at, agent_id, prompt_id, agent_version_id, chats,
        cost, calls, outbound, reached, seconds, outcomes, sentiments, answer_times, tags, durations, results)
      select ${workspaceId}, starts_at, agent_id, prompt_id, agent_version_id, chats, cost, calls, outbound, reached, seconds,
        outcomes, sentiments, answer_times, tags, durations, results
      from (${countConversations(workspaceId, days)}) counted`);
  });
}

/** By workspace, about when the conversations began of which something changed that is not added up yet. */
export async function listChanges(
  db: Database,
): Promise<{ workspaceId: string; timeZone: string; moments: Date[] }[]> {
  // To a quarter of an hour: no time zone has days that begin within one.
  const rows = await queryRows<{ workspaceId: string; timeZone: string; moments: number[] }>(
    db,
    sql`select change.workspace_id as "workspaceId", workspaces.time_zone as "timeZone",
        json_agg(distinct floor(extract(epoch from date_initiated) / 900) * 900000) as moments
      from ${figureChanges} change join ${workspaces} on workspaces.id = change.workspace_id group by 1, 2`,
  );
  return rows.map((row) => ({ ...row, moments: row.moments.map((moment) => new Date(moment)) }));
}

/** Whether there is any besides tests: one that ended, waits or runs. */
export async function hasConversations(db: Database, workspaceId: WorkspaceId): Promise<boolean> {
  const any = (status: SQL) =>
    sql`exists (select from ${calls} where workspace_id = ${workspaceId} and ${status} and not is_test)`;
  const [row] = await queryRows<{ isAny: boolean }>(
    db,
    sql`select ${any(sql`status = 'ended'`)} or ${any(sql`status <> 'ended'`)} as "isAny"`,
  );
  return row?.isAny ?? false;
}

/** A query with the columns of `day_figures` for each span, from the conversations themselves. */
export function countConversations(
  workspaceId: WorkspaceId,
  spans: readonly Span[],
  ofAgent: SQL = sql``,
): SQL {
  const key = sql`starts_at, agent_id, prompt_id, agent_version_id`;
  return sql`
    with held as materialized (
      select span.starts_at, call.* from ${spansOf(spans)} cross join lateral (
        select id, agent_id, coalesce(outbound_prompt_id, '') as prompt_id,
          coalesce(agent_version_id, '') as agent_version_id, channel, direction, disposition,
          coalesce(sentiment, 'N_A') as sentiment, duration_seconds, cost, tags, results
        from ${calls}
        where workspace_id = ${workspaceId} and status = 'ended' and not is_test
          and date_initiated >= span.starts_at and date_initiated < span.ends_at${ofAgent}
        -- Or the planner reads all conversations, since it does not know how short the spans are.
        offset 0
      ) call
    ), answered as (
      select ${key}, array[${countsOf(
        Array.from(
          { length: ANSWER_TIME_STEPS_MS.length + 1 },
          (_, index) => sql`step = ${sql.raw(String(index))}`,
        ),
      )}] as answer_times
      from (
        select ${key}, width_bucket((timings->>'totalMs')::float8,
          array[${sql.raw(ANSWER_TIME_STEPS_MS.join(', '))}]::float8[]) as step
        from held join ${turns} on turns.call_id = held.id where channel = 'call' and timings is not null
      ) answers group by ${key}
    ), tagged as (
      select ${key}, jsonb_object_agg(tag, calls) as tags from (
        select ${key}, tag, count(*)::int as calls from held, unnest(tags) tag
        where channel = 'call' group by ${key}, tag
      ) each group by ${key}
    ), yielded as (${selectYielded(key)})
    select counted.*, coalesce(answered.answer_times, array_fill(0, array[${sql.raw(String(ANSWER_TIME_STEPS_MS.length + 1))}])) as answer_times,
      coalesce(tagged.tags, '{}') as tags, coalesce(yielded.results, '{}') as results
    from (
      select ${key},
        count(*) filter (where channel = 'chat')::int as chats,
        sum(cost) as cost,
        count(*) filter (where channel = 'call')::int as calls,
        count(*) filter (where channel = 'call' and direction = 'OUTBOUND')::int as outbound,
        count(*) filter (where channel = 'call' and direction = 'OUTBOUND'
          and disposition not in ('FAILED', 'VOICEMAIL'))::int as reached,
        coalesce(sum(duration_seconds) filter (where channel = 'call'), 0) as seconds,
        array[${countsOf(DISPOSITIONS.map((each) => sql`channel = 'call' and disposition = ${each}`))}] as outcomes,
        array[${countsOf(SENTIMENTS.map((each) => sql`channel = 'call' and sentiment = ${each}`))}] as sentiments,
        array[${countsOf(DURATION_CONDITIONS)}] as durations
      from held group by ${key}
    ) counted left join answered using (${key}) left join tagged using (${key})
      left join yielded using (${key})`;
}

/** Of each field that was asked for: how often, how often it was found, and found to be yes. */
function selectYielded(key: SQL): SQL {
  return sql`
      select ${key}, jsonb_object_agg(field, jsonb_build_array(asked, found, yes)) as results from (
        select ${key}, (result->>'name') || ':' || (result->>'type') as field, count(*)::int as asked,
          count(*) filter (where result->>'value' is not null)::int as found,
          count(*) filter (where result->'value' = 'true')::int as yes
        from held, jsonb_array_elements(held.results) result group by ${key}, 5
      ) each group by ${key}`;
}

/** Of calls that were answered; above the last step, too. */
const DURATION_CONDITIONS = [0, ...DURATION_STEPS_SECONDS].map((from, index) => {
  const to = DURATION_STEPS_SECONDS[index];
  const isBelow = to === undefined ? sql`` : sql` and duration_seconds < ${sql.raw(String(to))}`;
  return sql`channel = 'call' and duration_seconds > 0 and duration_seconds >= ${sql.raw(String(from))}${isBelow}`;
});

function countsOf(conditions: readonly SQL[]): SQL {
  return sql.join(
    conditions.map((condition) => sql`count(*) filter (where ${condition})::int`),
    sql`, `,
  );
}

/** What is added up: stored days, or the conversations themselves in spans as short as wanted. */
export type Source = { days: Span } | { spans: readonly Span[] };

/**
 * Sums of a range and of what was before it, by period, agent, prompt and tag, at one moment. `periods`: where each begins;
 * whatever is earlier was before.
 */
export async function readFigures(
  db: Database,
  workspaceId: WorkspaceId,
  asked: { source: Source; periods: readonly Date[]; agentId?: string | undefined },
): Promise<Figures> {
  const { source, periods, agentId } = asked;
  const rowsOf =
    'days' in source
      ? sql`select * from ${dayFigures} where workspace_id = ${workspaceId}
          and starts_at >= ${source.days.startsAt.toISOString()} and starts_at < ${source.days.endsAt.toISOString()}`
      : countConversations(workspaceId, source.spans);
  const ofAgent = agentId === undefined ? sql`` : sql` where agent_id = ${agentId}`;
  const query = sql`with source as materialized (
        select width_bucket(starts_at, ${moments(periods)}) as period, * from (${rowsOf}) found${ofAgent}
      )
      select
        (${asList(sql`select period, ${SUMS} from source group by period`)}) as periods,
        (${asList(sql`
          select sums.*, agents.name, agents.deleted_at is not null as "isDeleted"
          from (${partSums(sql`agent_id`, sql`agent_id as "agentId"`)}) sums
          join ${agents} on agents.id = sums."agentId" and agents.workspace_id = ${workspaceId}`)}) as agents,
        (${asList(sql`
          select sums.*, title, agents.name as "agentName"
          from (${partSums(
            sql`agent_id, prompt_id`,
            sql`agent_id as "agentId", prompt_id as "promptId"`,
            sql`prompt_id <> ''`,
          )}) sums
          join ${agents} on agents.id = sums."agentId" and agents.workspace_id = ${workspaceId}
          left join ${outboundPrompts} prompt on prompt.id = sums."promptId" and prompt.workspace_id = ${workspaceId}`)}) as prompts,
        (${asList(selectTags())}) as tags,
        (select greatest(0, count(distinct tag) - ${sql.raw(String(TAGS_SHOWN))})::int
          from source, jsonb_object_keys(tags) tag where period > 0) as "otherTags"`;
  const [row] = await withoutCompiling(db, (tx) => queryRows<Figures>(tx, query));
  return row ?? { periods: [], agents: [], prompts: [], tags: [], otherTags: 0 };
}

/** PostgreSQL thinks these statements long enough to be compiled first, which takes 30 times as long as they do. */
export function withoutCompiling<Result>(
  db: Database,
  work: (tx: Database) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`set local jit = off`);
    return work(tx);
  });
}

export const asList = (rows: SQL) => sql`select coalesce(json_agg(listed), '[]') from (${rows}) listed`;

export const summed = (column: string, length: number) =>
  sql.raw(
    `json_build_array(${Array.from({ length }, (_, index) => `sum(${column}[${index + 1}])`).join(', ')})`,
  );

export const SUMS = sql`sum(calls) as calls, sum(chats) as chats, sum(outbound) as outbound, sum(reached) as reached,
  sum(seconds) as seconds, sum(cost) as cost,
  ${summed('outcomes', DISPOSITIONS.length)} as outcomes,
  ${summed('sentiments', SENTIMENTS.length)} as sentiments,
  ${summed('answer_times', ANSWER_TIME_STEPS_MS.length + 1)} as "answerTimes"`;

/** Sums of each agent, or of each prompt, now and before; of those with the most conversations of the range. */
function partSums(key: SQL, names: SQL, condition: SQL = sql`true`): SQL {
  return sql`select ${names}, period > 0 as "isCurrent", ${SUMS} from source
    where (${key}) in (
      select ${key} from source where period > 0 and ${condition}
      group by ${key} order by sum(calls + chats) desc, ${key} limit ${sql.raw(String(PARTS_SHOWN))}
    ) group by ${key}, period > 0`;
}

function selectTags(): SQL {
  return sql`select tag, sum(count) filter (where period > 0) as calls,
      coalesce(sum(count) filter (where period = 0), 0) as before,
      json_object_agg(period, count) filter (where period > 0) as periods
    from (
      select period, tag, sum(counted::int) as count from source, jsonb_each_text(tags) as each(tag, counted)
      group by period, tag
    ) by_period group by tag having sum(count) filter (where period > 0) > 0
    order by 2 desc, tag limit ${sql.raw(String(TAGS_SHOWN))}`;
}
