-- A sign of life must cost next to nothing: room in the page, a row from the start, a plan that is made once.

alter table pos_terminal_heartbeat set (fillfactor = 70);

-- A terminal always has its heartbeat row, so that a heartbeat is one update.
create function pos_terminal_gets_heartbeat() returns trigger language plpgsql as $$
begin
  insert into pos_terminal_heartbeat (terminal_id) values (new.terminal_id);
  return null;
end $$;
create trigger pos_terminal_gets_heartbeat after insert on pos_terminal
  for each row execute function pos_terminal_gets_heartbeat();

-- Signs of life of many terminals and all that these are told, in one update. Only the beats that are heard come
-- back: those of the device that is bound, or was bound last.

--

-- A function with settings of its own, so that PostgreSQL plans it once per connection, for any number: planning
-- costs more than the update, and joining by anything but the index costs more with each terminal there is.
create function pos_heartbeats(ids bigint[], devices text[]) returns table (
  terminal_id bigint, device text, is_active boolean, is_bound boolean, has_unused_code boolean,
  requires_terminal_registration text, versions text, license_id bigint, license_status text, expires_at timestamptz,
  sealed_token text, last_upstream_check_at timestamptz, last_upstream_check_succeeded boolean
) language plpgsql
set plan_cache_mode = force_generic_plan set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  main bigint := (select w.website_id from website w where w.is_default order by 1 limit 1);
  everywhere bigint := pos_config_version_of('global', 0);
begin
  return query
  update pos_terminal_heartbeat h set last_seen_at = now()
  from unnest(ids, devices) as a (id, device) join pos_terminal t on t.terminal_id = a.id
    left join pos_location p using (location_id) left join pos_license l using (license_id),
    lateral (select coalesce(nullif(p.website_id, 0), (
      select v.website_id from store_view v where v.store_id = p.store_view_id and v.store_id > 0 and v.is_active
    ), main) as website_id) as w
  where h.terminal_id = a.id and a.device = coalesce(t.device_identifier, t.released_device_identifier)
  returning t.terminal_id, a.device, t.is_active, t.device_identifier is not null,
    t.activation_code is not null and t.activation_used_at is null,
    (select c.value from config_value c
     where c.path = 'vendor_pos/general/require_terminal_registration'
       and (c.scope = 'default' or (c.scope = 'websites' and c.scope_id = w.website_id)
         or (c.scope = 'stores' and c.scope_id = (select store_id from pos_view_of_place(p.website_id, p.store_view_id))))
     order by case c.scope when 'stores' then 0 when 'websites' then 1 else 2 end limit 1),
    concat_ws('.', everywhere, w.website_id,
      (select coalesce(max(version), 1) from pos_config_version where scope = 'website' and scope_id = w.website_id),
      t.location_id,
      (select coalesce(max(version), 1) from pos_config_version where scope = 'location' and scope_id = t.location_id),
      (select coalesce(max(version), 1) from pos_config_version where scope = 'terminal' and scope_id = t.terminal_id)),
    l.license_id, l.license_status, l.expires_at, l.sealed_token, l.last_upstream_check_at,
    l.last_upstream_check_succeeded;
end $$;

-- What an activation code opened ends with it: sessions of staff at the terminal and one-time codes of its kiosk. Also
-- when the device is unbound or another one is bound, and when the terminal is deactivated, moved or deleted.
create function pos_end_terminal_access() returns trigger language plpgsql as $$
begin
  update pos_staff_session set expires_at = now() where terminal_id = old.terminal_id and expires_at > now();
  delete from pos_one_time_code where terminal_id = old.terminal_id and consumed_at is null;
  return null;
end
$$;

create trigger pos_terminal_ends_access after update on pos_terminal for each row
  when (old.device_identifier is distinct from new.device_identifier
    or old.location_id is distinct from new.location_id
    or old.activation_code is distinct from new.activation_code
    or old.is_active and not new.is_active)
  execute function pos_end_terminal_access();

create trigger pos_terminal_ends_access_deleted after delete on pos_terminal for each row
  execute function pos_end_terminal_access();
