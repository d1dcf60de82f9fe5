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

-- Claims waiting calls of one workspace that are due for a process, oldest first, as far as the workspace, the numbers and the carriers have
-- room: one row for each claimed call, with the moment at which its carrier takes it, and at most one row without a call, with
-- the moment at which a carrier that is at its rate takes the next. A function, because the count of what is in use must be a
-- statement after the lock, and because no lock may be kept while a busy process finds the time for its next statement.
-- `rates`: calls per second by carrier, {"twilio": 1}; a carrier that is not named takes any number.
create or replace function claim_calls(
  for_workspace text, at_most integer, new_owner text, claimed_at timestamptz, leased_until timestamptz, rates jsonb
) returns table (call_id text, dial_at timestamptz) language plpgsql as $$
declare
  workspace_limit integer;
  limited record;
  window_length interval;
  next_dial timestamptz;
  -- By limited carrier: when it takes the next call, and how many it takes within the window.
  paces jsonb := '{}';
  chosen text[];
  retry_at timestamptz;
begin
  perform from calls c where c.workspace_id = for_workspace and c.status = 'queued' and c.lease_owner is null limit 1;
  if not found then return; end if;
  -- Claims of one workspace take turns here, so its limits cannot be passed.
  select w.max_concurrent_calls into workspace_limit from workspaces w where w.id = for_workspace for no key update;

  -- In the order of their names, as two claims that lock two carriers in different orders would deadlock.
  for limited in
    select r.key as carrier, r.value::numeric as rate from jsonb_each_text(rates) r
    where exists (
      select from calls c
      where c.workspace_id = for_workspace and c.status = 'queued' and c.lease_owner is null and c.carrier = r.key
    )
    order by r.key
  loop
    window_length := make_interval(secs => greatest(1, 1 / limited.rate)::float8);
    insert into carrier_pacing (carrier, next_dial_at) values (limited.carrier, claimed_at) on conflict do nothing;
    select greatest(p.next_dial_at, claimed_at) into next_dial from carrier_pacing p where p.carrier = limited.carrier for update;
    paces := paces || jsonb_build_object(limited.carrier, jsonb_build_object(
      'next', next_dial,
      'gap', 1 / limited.rate,
      'window', window_length,
      -- A hundredth, because a gap of thirds of a second does not add up to a whole one.
      'room', greatest(0, floor(extract(epoch from claimed_at + window_length - next_dial) * limited.rate + 0.01))
    ));
  end loop;

  with recursive
  -- Numbers with waiting calls, by carrier: one look-up each, however many calls wait.
  queues as (
    (select coalesce(c.phone_number_id, '') as number_id, c.carrier from calls c
      where c.workspace_id = for_workspace and c.status = 'queued' and c.lease_owner is null
      order by coalesce(c.phone_number_id, ''), c.carrier limit 1)
    union all
    select later.number_id, later.carrier from queues q, lateral (
      select coalesce(c.phone_number_id, '') as number_id, c.carrier from calls c
      where c.workspace_id = for_workspace and c.status = 'queued' and c.lease_owner is null
        and (coalesce(c.phone_number_id, ''), c.carrier) > (q.number_id, q.carrier)
      order by coalesce(c.phone_number_id, ''), c.carrier limit 1
    ) later
  ),
  in_use as (
    select coalesce(c.phone_number_id, '') as number_id, count(*) as count from calls c
    where c.workspace_id = for_workspace and c.lease_owner is not null
      and c.status in ('queued', 'dialing', 'ringing', 'in_progress')
    group by 1
  ),
  rooms as (
    select q.number_id, q.carrier, coalesce(u.count, 0) as used, n.max_concurrent_calls as most,
      least(at_most, n.max_concurrent_calls - coalesce(u.count, 0), (paces->q.carrier->>'room')::integer) as room
    from queues q left join in_use u using (number_id) left join phone_numbers n on n.id = q.number_id
  ),
  -- The number with the fewest calls comes first, so that a long queue of one number does not keep another's waiting.
  oldest as (
    select c.id, c.created_at, r.carrier, r.used, r.most,
      r.used + row_number() over (partition by r.number_id order by c.created_at, c.id) as turn
    from rooms r, lateral (
      select c.id, c.created_at from calls c
      where c.workspace_id = for_workspace and c.status = 'queued' and c.lease_owner is null
        and coalesce(c.phone_number_id, '') = r.number_id and c.carrier = r.carrier
        -- Due now. A second more, because the clocks of two processes differ; `dial_at` is exact.
        and coalesce(c.not_before, c.created_at) <= claimed_at + interval '1 second'
      order by coalesce(c.not_before, c.created_at), c.created_at, c.id limit greatest(r.room, 0)
    ) c
  ),
  fitting as (
    select o.*, row_number() over (partition by o.carrier order by o.turn, o.created_at, o.id) as place
    from oldest o where o.most is null or o.turn <= o.most
  ),
  picked as (
    select f.id, f.turn, f.created_at from fitting f
    where not paces ? f.carrier or f.place <= (paces->f.carrier->>'room')::integer
    order by f.turn, f.created_at, f.id
    limit greatest(0, least(at_most, workspace_limit - (select coalesce(sum(u.count), 0) from in_use u)))
  )
  select array_agg(p.id order by p.turn, p.created_at, p.id) into chosen from picked p;

  return query
  with claimed as (
    -- Asked once more, because a call may have been cancelled since. In other words than the conditions of the indexes of the
    -- queue: planned while it was empty, this would scan all that waits (12 ms instead of 0.3 with 10,000).
    update calls c
    set lease_owner = new_owner, lease_until = leased_until, date_initiated = claimed_at, updated_at = claimed_at
    where c.id = any(chosen) and c.status_rank = 0 and coalesce(c.lease_owner, '') = ''
    returning c.id, c.carrier, c.not_before
  ),
  placed as (
    select c.id, c.carrier, c.not_before, row_number() over (partition by c.carrier order by array_position(chosen, c.id)) - 1 as before
    from claimed c
  ),
  paced as (
    update carrier_pacing p
    set next_dial_at = (paces->p.carrier->>'next')::timestamptz
      + taken.count * (paces->p.carrier->>'gap')::float8 * interval '1 second'
    from (select c.carrier, count(*) as count from claimed c group by c.carrier) taken
    where taken.carrier = p.carrier and paces ? p.carrier
  )
  select p.id, greatest(p.not_before, coalesce(
    (paces->p.carrier->>'next')::timestamptz + p.before * (paces->p.carrier->>'gap')::float8 * interval '1 second', claimed_at))
  from placed p order by 2, array_position(chosen, p.id);

  select min(p.next_dial_at + (paces->p.carrier->>'gap')::float8 * interval '1 second' - (paces->p.carrier->>'window')::interval)
    into retry_at from carrier_pacing p where paces ? p.carrier;
  if retry_at > claimed_at then
    return query select null::text, retry_at;
  end if;
end $$;

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

-- What an agent is changes with its row and with its outbound prompts, whoever writes them: a process of a release that
-- keeps no versions, too. It then has no version until one is written (lib/features/versions).
create or replace function unset_own_version() returns trigger language plpgsql as $$
begin
  new.version_id := null;
  return new;
end $$;

create or replace trigger agents_unset_version before update on agents for each row
  when (new.version_id is not distinct from old.version_id) execute function unset_own_version();

create or replace function unset_agent_version() returns trigger language plpgsql as $$
begin
  if tg_op <> 'DELETE' then
    update public.agents a set version_id = null where a.id = new.agent_id and a.version_id is not null;
  else
    update public.agents a set version_id = null where a.id = old.agent_id and a.version_id is not null;
  end if;
  return null;
end $$;

create or replace trigger outbound_prompts_unset_version after insert or update or delete on outbound_prompts
  for each row execute function unset_agent_version();
