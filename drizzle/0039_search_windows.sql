-- The windows of time that a conversation of a workspace lies in, in UTC: all of them, and 512, 64, 8 days and one. A search
-- goes into those in which there is something (lib/features/conversations/listing/windows.ts).
CREATE OR REPLACE FUNCTION call_windows(workspace_id text, at timestamp with time zone) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select array[
    workspace_id,
    workspace_id || ' 3 ' || floor(date_part('epoch', at at time zone 'UTC') / 44236800)::bigint::text,
    workspace_id || ' 2 ' || floor(date_part('epoch', at at time zone 'UTC') / 5529600)::bigint::text,
    workspace_id || ' 1 ' || floor(date_part('epoch', at at time zone 'UTC') / 691200)::bigint::text,
    workspace_id || ' 0 ' || floor(date_part('epoch', at at time zone 'UTC') / 86400)::bigint::text
  ]
$$;
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "calls_search" ON "calls" USING gin (call_words(transcript, summary, tags, human_phone_number, agent_phone_number) gin_trgm_ops,call_windows(workspace_id, date_initiated)) WITH (fastupdate=false) WHERE status = 'ended';--> statement-breakpoint
DROP INDEX "calls_words";
