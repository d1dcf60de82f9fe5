CREATE FUNCTION write_call_tags() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE' then
    delete from public.call_tags where call_id = new.id;
  end if;
  insert into public.call_tags (call_id, tag, workspace_id, agent_id, facet, date_initiated)
    select new.id, tag, new.workspace_id, new.agent_id,
      public.call_facet(new.is_test, new.channel, new.direction, new.sentiment, new.disposition), new.date_initiated
    from unnest(new.tags) tag
    on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER calls_write_tags AFTER INSERT ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND new.tags <> '{}') EXECUTE FUNCTION write_call_tags();
--> statement-breakpoint
CREATE TRIGGER calls_change_tags AFTER UPDATE OF status, tags, agent_id, is_test, channel, direction, sentiment, disposition, date_initiated ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND (new.tags <> '{}' OR old.tags <> '{}')) EXECUTE FUNCTION write_call_tags();
--> statement-breakpoint
INSERT INTO call_tags (call_id, tag, workspace_id, agent_id, facet, date_initiated)
  SELECT id, tag, workspace_id, agent_id, call_facet(is_test, channel, direction, sentiment, disposition), date_initiated
  FROM calls, unnest(tags) tag WHERE status = 'ended'
  ON CONFLICT DO NOTHING;
