-- Gives a day a partition of its own and moves into it what came before there was one. Attaching keeps writers
-- waiting only for the partition of all other days.
create function pos_telemetry_open_day(opened date) returns boolean language plpgsql set lock_timeout = '5s' as $$
declare
  name text := 'pos_telemetry_event_' || to_char(opened, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(hashtextextended('telemetry days', 0));
  if to_regclass(name) is not null then return false; end if;
  execute format('create table %I (like pos_telemetry_event including all)', name);
  lock table pos_telemetry_event_other in access exclusive mode;
  execute format(
    'with moved as (delete from pos_telemetry_event_other where recorded_on = %L returning *) insert into %I select * from moved',
    opened, name);
  execute format('alter table pos_telemetry_event attach partition %I for values from (%L) to (%L)', name, opened, opened + 1);
  return true;
end $$;

-- Drops the oldest partition of days before this one: a million rows go in the time of one. False: there is none.
create function pos_telemetry_drop_day(before date) returns boolean language plpgsql set lock_timeout = '5s' as $$
declare
  name text;
begin
  perform pg_advisory_xact_lock(hashtextextended('telemetry days', 0));
  select c.relname into name
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'pos_telemetry_event'::regclass and c.relname ~ '^pos_telemetry_event_[0-9]{8}$'
    and right(c.relname, 8) < to_char(before, 'YYYYMMDD')
  order by c.relname limit 1;
  if name is null then return false; end if;
  execute format('drop table %I', name);
  return true;
end $$;
