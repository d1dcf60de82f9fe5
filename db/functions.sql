-- Applied after every migration, and idempotent. What drizzle cannot express stands here.

-- A call only moves forward, and an ended call is final (design: "The state only moves forward, by a database check").
create or replace function refuse_backward_call() returns trigger language plpgsql as $$
begin
  if new.status_rank < old.status_rank then
    raise exception 'call % may not move from % back to %', old.id, old.status, new.status;
  end if;
  return new;
end $$;

create or replace trigger calls_forward_only before update of status, status_rank on calls
  for each row execute function refuse_backward_call();

-- Words and text of chunks are stored as they are: compressing them cost a tenth of an upload and saved little.
do $$
begin
  if exists (select from pg_attribute where attrelid = 'chunks'::regclass and attname in ('words', 'text') and attstorage <> 'e') then
    alter table chunks alter column words set storage external, alter column text set storage external;
  end if;
end $$;
