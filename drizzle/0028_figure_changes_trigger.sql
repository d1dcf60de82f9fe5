CREATE FUNCTION note_figure_change() RETURNS trigger LANGUAGE plpgsql AS $$
begin
  if tg_op <> 'DELETE' then
    insert into public.figure_changes (workspace_id, date_initiated) values (new.workspace_id, new.date_initiated);
  end if;
  if tg_op = 'DELETE' or (tg_op = 'UPDATE' and old.date_initiated <> new.date_initiated) then
    insert into public.figure_changes (workspace_id, date_initiated) values (old.workspace_id, old.date_initiated);
  end if;
  return null;
end $$;
--> statement-breakpoint
CREATE TRIGGER calls_note_new_figures AFTER INSERT ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND NOT new.is_test) EXECUTE FUNCTION note_figure_change();
--> statement-breakpoint
CREATE TRIGGER calls_note_figures AFTER UPDATE OF status, agent_id, outbound_prompt_id, is_test, channel, direction, sentiment, disposition, date_initiated, duration_seconds, cost, tags ON calls
  FOR EACH ROW WHEN (new.status = 'ended' AND NOT (old.is_test AND new.is_test)) EXECUTE FUNCTION note_figure_change();
--> statement-breakpoint
CREATE TRIGGER calls_note_lost_figures AFTER DELETE ON calls
  FOR EACH ROW WHEN (old.status = 'ended' AND NOT old.is_test) EXECUTE FUNCTION note_figure_change();
--> statement-breakpoint
INSERT INTO figure_changes (workspace_id, date_initiated)
  SELECT DISTINCT workspace_id, date_trunc('hour', date_initiated) FROM calls WHERE status = 'ended';
