import type { TableStore } from '#db/table-shape.ts';
import { neverConnected } from '#lib/engine/describe-end.ts';

const REASON =
  'The call waited when a backup was taken that was restored since. Whether it was placed meanwhile is not known, so nobody is dialled.';

/**
 * Ends what waited when the backup was taken: since then calls may have been placed and webhooks sent, and nobody is called
 * twice. Calls in progress are left to the service, which ends them with what is stored of them.
 */
export async function settleRestored({ query }: Pick<TableStore, 'query'>, now: Date): Promise<void> {
  const at = `'${now.toISOString()}'::timestamptz`;
  const outcome = JSON.stringify(neverConnected('interrupted', REASON)).replaceAll("'", "''");
  await query(`
    update usage_months m set reserved_seconds = greatest(0, m.reserved_seconds - waiting.seconds)
    from (select workspace_id, usage_month, sum(reserved_seconds)::int as seconds from calls
      where status = 'queued' group by workspace_id, usage_month) waiting
    where m.workspace_id = waiting.workspace_id and m.month = waiting.usage_month`);
  await query(`
    insert into call_events (call_id, workspace_id, type, at, data)
    select id, workspace_id, 'call.ended', ${at}, jsonb_build_object('endReason', '${REASON}') from calls where status = 'queued'`);
  await query(`
    update calls set status = 'ended', status_rank = 5, ended_at = ${at}, updated_at = ${at}, disposition = 'FAILED',
      sentiment = 'N_A', end_reason = '${REASON}', outcome = '${outcome}'::jsonb,
      reserved_seconds = 0, lease_owner = null, lease_until = null, not_before = null
    where status = 'queued'`);
  await query("update calls set lease_until = null where lease_owner is not null and status <> 'ended'");
  await query("update webhook_deliveries set status = 'unknown' where status in ('pending', 'sending')");
}
