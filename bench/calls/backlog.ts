import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { seedLine } from '#lib/features/calls/testing.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';

/** Workspaces that share the waiting and the ended calls of a run. */
export const WORKSPACES = ['one', 'two', 'three', 'four'].map((name) => `ws_${name}`);

/** Workspaces without a limit that a run could reach, each with its agent, prompt and number. */
export async function seedWorkspaces(db: Database, withWebhooks: boolean): Promise<void> {
  for (const id of WORKSPACES) {
    await seedLine(db, id.slice('ws_'.length), {
      workspace: { maxConcurrentCalls: 100_000, webhookUrl: 'https://hooks.invalid/calls' },
      number: { maxConcurrentCalls: 100_000 },
      agent: { hasPostConversationWebhook: withWebhooks },
    });
    await db.execute(
      sql`insert into usage_months (workspace_id, month) values (${id}, ${usageMonthOf(new Date())})`,
    );
  }
}

/** Conversations of the past year, in one statement. */
export async function addEndedCalls(db: Database, count: number): Promise<void> {
  await db.execute(sql`
    insert into calls (id, workspace_id, agent_id, phone_number_id, direction, carrier, agent_phone_number, human_phone_number,
      variables, status, status_rank, usage_month, date_initiated, answered_at, ended_at, duration_seconds, disposition,
      sentiment, transcript, created_at, updated_at)
    select 'old_' || n, 'ws_' || name, 'agent_' || name, 'pn_' || name, 'OUTBOUND', 'simulated', '+15550000000',
      '+1555' || lpad((n % 10000000)::text, 7, '0'), '{"name":"Ann"}', 'ended', 5, to_char(at, 'YYYY-MM'), at, at,
      at + interval '1 minute', 60, 'COMPLETED', 'NEUTRAL', 'Agent: Hello Ann.\nHuman: Thank you, goodbye.', at, at
    from (
      select n, (array['one', 'two', 'three', 'four'])[1 + n % 4] as name, now() - n * interval '30 seconds' as at
      from generate_series(1, ${count}::int) n
    ) numbered`);
  await db.execute(sql`analyze calls`);
}

/** Waiting calls to people whose line is busy (numbers that end in 08). `from` goes on counting where the last ones ended. */
export async function addWaitingCalls(db: Database, from: number, count: number): Promise<void> {
  if (count <= 0) return;
  await db.execute(sql`
    insert into calls (id, workspace_id, agent_id, outbound_prompt_id, phone_number_id, direction, carrier, agent_phone_number,
      human_phone_number, variables, status, status_rank, reserved_seconds, usage_month, date_initiated, created_at, updated_at)
    select 'new_' || n, 'ws_' || name, 'agent_' || name, 'prompt_' || name, 'pn_' || name, 'OUTBOUND', 'simulated',
      '+15550000000', '+1555' || lpad((n % 100000)::text, 5, '0') || '08', '{"name":"Ann"}', 'queued', 0, 60,
      to_char(now(), 'YYYY-MM'), now(), now(), now()
    from (
      select n, (array['one', 'two', 'three', 'four'])[1 + n % 4] as name
      from generate_series(${from}::int, ${from + count - 1}::int) n
    ) numbered`);
}

/** Calls that wait for their calling hours, a year from now. */
export async function addDelayedCalls(db: Database, count: number): Promise<void> {
  if (count <= 0) return;
  const from = 1_000_000_000;
  await addWaitingCalls(db, from, count);
  await db.execute(sql`
    update calls set not_before = now() + interval '1 year', not_before_zone = 'America/New_York'
    where id in (select 'new_' || n from generate_series(${from}::int, ${from + count - 1}::int) n)`);
}

/** Ends what is left of a run, so that the next one begins with its own calls. */
export async function endOpenCalls(db: Database): Promise<void> {
  await db.execute(sql`
    update calls set status = 'ended', status_rank = 5, lease_owner = null, lease_until = null
    where status in ('queued', 'dialing', 'ringing', 'in_progress', 'wrapping_up') and not_before is null`);
}

/** Ends claimed calls as if their conversations were over. */
export async function endClaimedCalls(db: Database, ids: string[]): Promise<void> {
  await queryRows(
    db,
    sql`update calls set status = 'ended', status_rank = 5, lease_owner = null, lease_until = null
      where id in ${ids}`,
  );
}
