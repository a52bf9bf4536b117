-- Register sessions take the movements of their drawer (db/register-sessions/register-session.entity.ts).

-- A movement belongs to the session that its document names, where that session is of the same store. It takes the
-- session's row for share, and a close takes it for update: a movement is either in the closing, or late.
create function pos_join_session() returns trigger language plpgsql as $$
declare s record;
begin
  if tg_op = 'UPDATE' and new.session_id is not null and new.register_session_uuid = old.register_session_uuid then
    return new;
  end if;
  new.session_id := null;
  select session_id, state, location_id into s from pos_register_session
  where register_session_uuid = lower(new.register_session_uuid) for share;
  if s.session_id is not null and coalesce(new.location_id, s.location_id) = s.location_id then
    new.session_id := s.session_id;
    new.is_late := s.state = 'closed';
  end if;
  return new;
end $$;
create trigger pos_join_session before insert on pos_movement
  for each row when (new.register_session_uuid is not null) execute function pos_join_session();
create trigger pos_join_session_later before update of register_session_uuid, location_id on pos_movement
  for each row when (new.register_session_uuid is not null) execute function pos_join_session();

-- What a closing contains stays. A document that is assigned differently afterwards takes its old movement back by a
-- late one of the opposite amount.
create function pos_reverse_closed_movement() returns trigger language plpgsql as $$
begin
  -- A late movement that no closing shows yet is in none.
  if (old.is_late and old.closing_id is null)
    or not exists (select from pos_register_session where session_id = old.session_id and state = 'closed')
  then return old; end if;
  insert into pos_movement (source, source_id, line, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, staff_id, order_id, credit_memo_id, receipt_id, occurred_at)
  select old.source, old.source_id, 1 + max(m.line), old.kind, old.tender, -old.amount, old.currency, old.location_id,
    old.terminal_id, old.register_session_uuid, old.staff_id, old.order_id, old.credit_memo_id, old.receipt_id,
    old.occurred_at
  from pos_movement m where m.source = old.source and m.source_id = old.source_id;
  return null;
end $$;
create trigger pos_reverse_closed_movement before delete on pos_movement
  for each row when (old.session_id is not null) execute function pos_reverse_closed_movement();

-- Cash between a drawer and the office.
create function pos_move_by_session_movement() returns trigger language plpgsql as $$
begin
  insert into pos_movement (source, source_id, kind, tender, amount, currency, location_id, terminal_id,
    register_session_uuid, staff_id, occurred_at)
  select 'session_movement', new.session_movement_id, new.kind, 'cash',
    case when new.kind = 'cash_in' then new.amount else -new.amount end, new.currency, s.location_id, s.terminal_id,
    s.register_session_uuid, s.staff_id, new.created_at
  from pos_register_session s where s.session_id = new.session_id
  on conflict do nothing;
  return null;
end $$;
create trigger pos_move_by_session_movement after insert on pos_session_movement
  for each row when (new.kind <> 'no_sale') execute function pos_move_by_session_movement();

-- A closing, and the difference that it shows.
create function pos_tell_closing() returns trigger language plpgsql as $$
declare
  uuid text := (select register_session_uuid from pos_register_session where session_id = new.session_id);
  facts jsonb := jsonb_build_object('closing_id', new.closing_id, 'drawer_id', new.drawer_id, 'number', new.number,
    'location_id', new.location_id, 'terminal_id', new.terminal_id, 'is_forced', new.is_forced,
    'has_difference', new.has_difference, 'replaces', new.replaces);
begin
  insert into pos_event (type, object_kind, object_id, facts) values ('register_session.closed', 'register_session', uuid, facts);
  if new.has_difference then
    insert into pos_event (type, object_kind, object_id, facts)
    values ('register_session.difference', 'register_session', uuid, facts);
  end if;
  return null;
end $$;
create trigger pos_told after insert on pos_closing for each row execute function pos_tell_closing();
