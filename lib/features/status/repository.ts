import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { calls } from '#db/schema/calls.ts';
import { documents } from '#db/schema/knowledge.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

type Counted = Record<string, number>;

/** What is to be done at the moment, in one workspace or in all together. */
export type Backlog = {
  /** Calls that have not ended, by state. */
  calls: Counted;
  /** Documents that are not processed yet, by state. */
  documents: Counted;
  /** Webhooks without a result, by state. */
  webhooks: Counted;
  /** Of the calls that wait, those that may be dialled now. */
  dueCalls: number;
  /** How long the oldest one waits that could be begun, in seconds; 0 where none waits. */
  oldestCallSeconds: number;
  oldestWebhookSeconds: number;
};

type Line = { kind: string; state: string; count: number; waits: number; due: number };

/**
 * Reads what is open, by indexes that hold nothing else: calls that wait, calls that are leased, webhooks without a result.
 * A call that waits for calling hours, or for its turn to be tried again, is not late.
 */
export async function readBacklog(db: Database, workspaceId?: WorkspaceId): Promise<Backlog> {
  const wanted = workspaceId === undefined ? sql`true` : sql`workspace_id = ${workspaceId}`;
  const rows = await queryRows<Line>(
    db,
    sql`
      select 'call' as kind, 'queued' as state, count(*)::int as count,
        coalesce(extract(epoch from now() - min(greatest(created_at, coalesce(not_before, created_at)))
          filter (where not_before is null or not_before <= now())), 0)::float8 as waits,
        (count(*) filter (where not_before is null or not_before <= now()))::int as due
      from ${calls} where status = 'queued' and lease_owner is null and ${wanted}
      union all
      select 'call', status, count(*)::int, 0, 0 from ${calls}
      where lease_owner is not null and status <> 'ended' and ${wanted} group by status
      union all
      select 'webhook', status, count(*)::int,
        coalesce(extract(epoch from now() - min(created_at) filter (where status = 'pending')), 0)::float8, 0
      from ${webhookDeliveries} where status in ('pending', 'sending') and ${wanted} group by status
      union all
      select 'document', status, count(*)::int, 0, 0 from ${documents}
      where status in ('PENDING', 'PROCESSING') and ${wanted} group by status`,
  );
  const countsOf = (kind: string, states: readonly string[]): Counted => {
    const counts: Counted = Object.fromEntries(states.map((state) => [state, 0]));
    for (const row of rows) if (row.kind === kind) counts[row.state] = (counts[row.state] ?? 0) + row.count;
    return counts;
  };
  const longest = (kind: string) =>
    Math.max(0, ...rows.filter((row) => row.kind === kind).map((row) => row.waits));
  return {
    calls: countsOf('call', ['queued', 'dialing', 'ringing', 'in_progress', 'wrapping_up']),
    documents: countsOf('document', ['PENDING', 'PROCESSING']),
    webhooks: countsOf('webhook', ['pending', 'sending']),
    dueCalls: rows.reduce((sum, { due }) => sum + due, 0),
    oldestCallSeconds: longest('call'),
    oldestWebhookSeconds: longest('webhook'),
  };
}

/** Connections to the database of the service, of all processes, by what they do; the embedded one has none. */
export async function readConnections(db: Database): Promise<Counted> {
  const rows = await queryRows<{ state: string; count: number }>(
    db,
    sql`select case state when 'active' then 'active' when 'idle' then 'idle' else 'in_transaction' end as state,
        count(*)::int as count
      from pg_stat_activity where datname = current_database() and backend_type = 'client backend' group by 1`,
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

/** How many bytes the database takes, its indexes included. */
export async function readDatabaseSize(db: Database): Promise<number> {
  const [row] = await queryRows<{ bytes: number }>(
    db,
    sql`select pg_database_size(current_database())::float8 as bytes`,
  );
  return row?.bytes ?? 0;
}

/** How many calls a workspace has at once, and which of its numbers can take no further one. */
export async function readLines(
  db: Database,
  workspaceId: WorkspaceId,
): Promise<{ inUse: number; fullNumbers: { number: string; limit: number }[] }> {
  const rows = await queryRows<{ number: string | null; count: number; limit: number | null }>(
    db,
    sql`select number, busy.count, max_concurrent_calls as "limit"
      from (
        select phone_number_id, count(*)::int as count from ${calls}
        where workspace_id = ${workspaceId} and lease_owner is not null
          and status in ('queued', 'dialing', 'ringing', 'in_progress')
        group by phone_number_id
      ) as busy left join ${phoneNumbers} on busy.phone_number_id = ${phoneNumbers.id}`,
  );
  return {
    inUse: rows.reduce((all, { count }) => all + count, 0),
    fullNumbers: rows.flatMap(({ number, count, limit }) =>
      number !== null && limit !== null && count >= limit ? [{ number, limit }] : [],
    ),
  };
}

/** What a workspace's carriers and webhooks did in the last hour. */
export async function readLastHour(
  db: Database,
  workspaceId: WorkspaceId,
  now: Date,
): Promise<{
  carriers: { kind: string; numbers: number; calls: number; failed: number }[];
  webhooks: { sent: number; failed: number };
}> {
  const since = sql`${new Date(now.getTime() - 3_600_000).toISOString()}::timestamptz`;
  const carriers = await queryRows<{ kind: string; numbers: number; calls: number; failed: number }>(
    db,
    sql`select kind, sum(numbers)::int as numbers, sum(calls)::int as calls, sum(failed)::int as failed from (
      select carrier as kind, count(*) as numbers, 0 as calls, 0 as failed
      from ${phoneNumbers} where workspace_id = ${workspaceId} group by carrier
      union all
      select carrier, 0, count(*), count(*) filter (
        where outcome->>'neverConnectedReason' in ('failed', 'carrier_missing', 'interrupted'))
      from ${calls}
      where workspace_id = ${workspaceId} and status = 'ended' and date_initiated > ${since} group by carrier
    ) as each group by kind`,
  );
  const [webhooks] = await queryRows<{ sent: number; failed: number }>(
    db,
    sql`select count(*)::int as sent, count(*) filter (where status <> 'delivered')::int as failed
      from ${webhookDeliveries}
      where workspace_id = ${workspaceId} and created_at > ${since} and finished_at is not null`,
  );
  return { carriers, webhooks: webhooks ?? { sent: 0, failed: 0 } };
}
