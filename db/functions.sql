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

-- Chunks and vectors stay in one row, uncompressed: moved out of it in pieces, or compressed, an upload takes longer. Term
-- blocks are moved out, so that a pass over their ranges reads little.
do $$
begin
  if not exists (
    select from pg_class where oid = 'chunk_vectors'::regclass and 'toast_tuple_target=8160' = any (reloptions)
  ) then
    alter table chunks alter column text set storage external;
    alter table chunks set (toast_tuple_target = 8160);
    alter table chunk_vectors alter column embedding set storage external;
    alter table chunk_vectors set (toast_tuple_target = 8160);
    alter table term_blocks alter column postings set storage external;
  end if;
end $$;
