import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { callEvents, calls } from '#db/schema/calls.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { FATAL_FAILURES } from '#lib/ports/provider-failure.ts';

/** So many calls are looked at; on older ones nobody asked the model. */
const LAST_CALLS = 20;

type Row = {
  callId: string;
  type: string | null;
  kind: string | null;
  model: string | null;
  atMs: number | null;
};

/**
 * The most recent of the last ended calls that tells of the models: with the failure that a person has to mend,
 * or, where an agent answered without one, with nulls. Undefined where none of them tells.
 */
export async function findLastModelUse(db: Database, workspaceId: WorkspaceId): Promise<Row | undefined> {
  const kinds = sql.join(
    FATAL_FAILURES.map((kind) => sql`${kind}`),
    sql`, `,
  );
  const rows = await queryRows<Row>(
    db,
    sql`
      select last.id as "callId", failure.type, failure.kind, failure.model, failure.at_ms as "atMs"
      from (
        select id, outcome, date_initiated from ${calls}
        where workspace_id = ${workspaceId} and status = 'ended'
        order by date_initiated desc limit ${LAST_CALLS}
      ) as last
      left join lateral (
        select type, data->>'kind' as kind, data->>'model' as model, (extract(epoch from at) * 1000)::float8 as at_ms
        from ${callEvents}
        where call_id = last.id and type in ('model_failed', 'transcription_failed') and data->>'kind' in (${kinds})
        order by id desc limit 1
      ) as failure on true
      where failure.kind is not null or (last.outcome->'usage'->>'outputTokens')::int > 0
      order by last.date_initiated desc limit 1`,
  );
  return rows[0];
}
