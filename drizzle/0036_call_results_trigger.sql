CREATE FUNCTION write_call_results() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op = 'UPDATE' then
    delete from public.call_results where call_id = new.id;
  end if;
  insert into public.call_results (call_id, name, type, workspace_id, agent_id, facet, date_initiated, number, word)
    select new.id, result->>'name', result->>'type', new.workspace_id, new.agent_id,
      public.call_facet(new.is_test, new.channel, new.direction, new.sentiment, new.disposition), new.date_initiated,
      case result->>'type'
        when 'number' then (result->>'value')::double precision
        when 'yes_no' then case result->>'value' when 'true' then 1 when 'false' then 0 end
        when 'date' then (result->>'value')::date - date '1970-01-01'
      end,
      case when result->>'type' in ('text', 'choice') then left(lower(result->>'value'), 200) end
    from jsonb_array_elements(new.results) result
    where new.disposition <> 'FAILED'
    on conflict do nothing;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER calls_write_results AFTER INSERT ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND new.results IS NOT NULL) EXECUTE FUNCTION write_call_results();
--> statement-breakpoint
CREATE TRIGGER calls_change_results AFTER UPDATE OF status, results, agent_id, is_test, channel, direction, sentiment, disposition, date_initiated ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND (new.results IS NOT NULL OR old.results IS NOT NULL)) EXECUTE FUNCTION write_call_results();
