-- Counters of what registers see: a change of it makes them pull their configuration.

create function pos_bump_config_version(bumped text, id bigint) returns void language sql as $$
  insert into pos_config_version (scope, scope_id, version) values (bumped, id, 2)
  on conflict (scope, scope_id) do update set version = pos_config_version.version + 1
$$;

-- Only settings that registers get: a change of the others must not make every register pull its configuration.
create function pos_setting_is_seen(path text) returns boolean language sql immutable as $$
  select path ~ '^(vendor_pos|vendor_pos_terminal|vendor_pos_lock|tax|general/store_information)/'
    and path <> 'vendor_pos_terminal/customers/validators'
    or path ~ '^vendor_pos_advanced/(telemetry/(enabled|force_enabled|upload_hour)|returns/period_days)$'
    or path ~ '^(vendor_store_credit|vendor_gift_card|vendor_reward_points)/general/'
$$;

-- Whether the statement seals with another key what stays as it was: registers see the same, and pull nothing.
create function pos_seals_anew() returns boolean language sql stable as $$
  select coalesce(current_setting('pos.seals_anew', true), '') = 'yes'
$$;

create function pos_setting_changed() returns trigger language plpgsql as $$
declare
  changed config_value := coalesce(new, old);
begin
  if tg_op = 'UPDATE' and (new is not distinct from old or pos_seals_anew()) or not pos_setting_is_seen(changed.path) then
    return null;
  end if;
  if changed.scope = 'default' then
    perform pos_bump_config_version('global', 0);
  elsif changed.scope = 'websites' then
    perform pos_bump_config_version('website', changed.scope_id);
  else
    perform pos_bump_config_version('website', website_id) from store_view where store_id = changed.scope_id;
  end if;
  return null;
end $$;
create trigger pos_setting_changed after insert or update or delete on config_value
  for each row execute function pos_setting_changed();

create function pos_location_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{updated_at, customer_validators}'::text[]
    is distinct from to_jsonb(old) - '{updated_at, customer_validators}'::text[] then
    perform pos_bump_config_version('location', old.location_id);
  end if;
  return null;
end $$;
create trigger pos_location_changed after update or delete on pos_location
  for each row execute function pos_location_changed();

-- Registers are never told a code, nor who was bound before or may be next.
create function pos_terminal_changed() returns trigger language plpgsql as $$
declare
  untold text[] := '{updated_at, activation_code, released_device_identifier, code_claimed_by, code_claimed_until}';
begin
  if to_jsonb(new) - untold is distinct from to_jsonb(old) - untold then
    perform pos_bump_config_version('terminal', old.terminal_id);
  end if;
  return null;
end $$;
create trigger pos_terminal_changed after update on pos_terminal
  for each row execute function pos_terminal_changed();

-- When a license was last checked is told by the heartbeat itself.
create function pos_license_changed() returns trigger language plpgsql as $$
declare
  told text[] := array['updated_at', 'last_upstream_check_at', 'last_upstream_check_succeeded'];
begin
  if to_jsonb(new) - told is distinct from to_jsonb(old) - told and not pos_seals_anew() then
    perform pos_bump_config_version('terminal', terminal_id) from pos_terminal where license_id = old.license_id
      order by terminal_id;
  end if;
  return null;
end $$;
create trigger pos_license_changed after update on pos_license
  for each row execute function pos_license_changed();

-- Registers are told of active staff only.
create function pos_staff_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'updated_at' is not distinct from to_jsonb(old) - 'updated_at' then return null; end if;
  if not (coalesce(old.is_active, false) or coalesce(new.is_active, false)) then return null; end if;
  if old.all_locations or new.all_locations then
    perform pos_bump_config_version('global', 0);
  else
    perform pos_bump_config_version('location', location_id) from pos_staff_location
      where staff_id = coalesce(new.staff_id, old.staff_id) order by location_id;
  end if;
  return null;
end $$;
create trigger pos_staff_changed after insert or update or delete on pos_staff
  for each row execute function pos_staff_changed();

-- Whoever works everywhere, or no more, works here no less for an assignment. One who is gone was seen, for all we
-- know.
create function pos_staff_location_changed() returns trigger language plpgsql as $$
declare
  member pos_staff;
begin
  select * into member from pos_staff where staff_id = coalesce(new.staff_id, old.staff_id);
  if member.all_locations or not member.is_active then return null; end if;
  perform pos_bump_config_version('location', coalesce(new.location_id, old.location_id));
  return null;
end $$;
create trigger pos_staff_location_changed after insert or delete on pos_staff_location
  for each row execute function pos_staff_location_changed();

create function pos_role_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - 'updated_at' is not distinct from to_jsonb(old) - 'updated_at' then return null; end if;
  if exists (select from pos_staff where role_id = old.role_id and all_locations and is_active) then
    perform pos_bump_config_version('global', 0);
  else
    perform pos_bump_config_version('location', location_id) from (
      select distinct location_id from pos_staff_location join pos_staff using (staff_id)
      where role_id = old.role_id and is_active order by location_id
    ) as places;
  end if;
  return null;
end $$;
create trigger pos_role_changed after update on pos_role
  for each row execute function pos_role_changed();

-- Which view's settings hold at a location hangs on these few columns; the shop is rearranged once in a blue moon.
create function pos_stores_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or new is distinct from old then perform pos_bump_config_version('global', 0); end if;
  return null;
end $$;
create trigger pos_stores_changed after insert or delete or update of is_default, default_group_id on website
  for each row execute function pos_stores_changed();
create trigger pos_stores_changed after insert or delete or update of default_store_id on store_group
  for each row execute function pos_stores_changed();
create trigger pos_stores_changed after insert or delete or update of website_id, is_active, sort_order on store_view
  for each row execute function pos_stores_changed();

-- Registers are told which attributes are fixed taxes, and their labels.
create function pos_fixed_tax_attribute_changed() returns trigger language plpgsql as $$
begin
  if 'weee' in (coalesce(old.frontend_input, ''), coalesce(new.frontend_input, ''))
    and (old.attribute_code, old.frontend_input, old.label, old.store_labels)
      is distinct from (new.attribute_code, new.frontend_input, new.label, new.store_labels) then
    perform pos_bump_config_version('global', 0);
  end if;
  return null;
end $$;
create trigger pos_fixed_tax_attribute_changed after insert or update or delete on product_attribute
  for each row execute function pos_fixed_tax_attribute_changed();

-- How often what a scope's registers see has changed; 1 where it never did.
create function pos_config_version_of(of text, id bigint) returns bigint language sql stable as $$
  select coalesce((select version from pos_config_version where scope = of and scope_id = id), 1)
$$;

-- The store view whose settings hold at a place: its own, else its website's default one, else the shop's.
create function pos_view_of_place(of_website bigint, of_view bigint)
returns table (store_id bigint, website_id bigint) language sql stable as $$
  select s.store_id, s.website_id
  from store_view s join website w using (website_id) left join store_group g on g.group_id = w.default_group_id
  where s.store_id > 0 and s.is_active and (coalesce(of_website, 0) = 0 or s.website_id = of_website)
  order by s.store_id is not distinct from of_view desc, w.is_default desc, w.website_id,
    (g.default_store_id is not distinct from s.store_id) desc, s.sort_order, s.store_id
  limit 1
$$;
