import { Migration } from '@mikro-orm/migrations';

/** A sign of life must cost next to nothing: room in the page, a row from the start, a plan that is made once. */
export class Migration20261122000001_heartbeat extends Migration {
  override up(): void {
    this.addSql(`alter table pos_terminal_heartbeat set (fillfactor = 70)`);
    this.addSql(heartbeatRow);
    this.addSql(
      `create trigger pos_terminal_gets_heartbeat after insert on pos_terminal
       for each row execute function pos_terminal_gets_heartbeat()`,
    );
    this.addSql(versionOf);
    this.addSql(heartbeat);
  }

  override down(): void {
    this.addSql(`drop function pos_heartbeat`);
    this.addSql(`drop function pos_config_version_of`);
    this.addSql(`drop trigger pos_terminal_gets_heartbeat on pos_terminal`);
    this.addSql(`drop function pos_terminal_gets_heartbeat`);
    this.addSql(`alter table pos_terminal_heartbeat reset (fillfactor)`);
  }
}

/** A terminal always has its heartbeat row, so that a heartbeat is one update. */
const heartbeatRow = `
create function pos_terminal_gets_heartbeat() returns trigger language plpgsql as $$
begin
  insert into pos_terminal_heartbeat (terminal_id) values (new.terminal_id);
  return null;
end $$`;

/** How often what a scope's registers see has changed; 1 where it never did. */
const versionOf = `
create function pos_config_version_of(of text, id integer) returns bigint language sql stable as $$
  select coalesce((select version from pos_config_version where scope = of and scope_id = id), 1)
$$`;

/**
 * A terminal's sign of life and all it is told, as a function so that PostgreSQL plans it once per connection: planning
 * costs ten times what the update does. The device that was bound last is heard too.
 */
const heartbeat = `
create function pos_heartbeat(id integer, device text) returns table (
  is_active boolean, is_bound boolean, has_unused_code boolean, requires_terminal_registration text, versions text,
  license_id integer, license_status text, expires_at timestamptz, sealed_token text,
  last_upstream_check_at timestamptz, last_upstream_check_succeeded boolean
) language plpgsql as $$
#variable_conflict use_column
declare
  place record;
begin
  select p.location_id,
    coalesce(nullif(p.website_id, 0), (select w.website_id from website w where w.is_default order by 1 limit 1)) as website_id
  into place
  from pos_terminal t left join pos_location p using (location_id) where t.terminal_id = id;
  return query
  update pos_terminal_heartbeat h set last_seen_at = now()
  from pos_terminal t left join pos_license l using (license_id)
  where h.terminal_id = id and t.terminal_id = id
    and device in (t.device_identifier, case when t.device_identifier is null then t.released_device_identifier end)
  returning t.is_active, t.device_identifier is not null,
    t.activation_code is not null and t.activation_used_at is null,
    (select c.value from config_value c
     where c.path = 'vendor_pos/general/require_terminal_registration'
       and (c.scope = 'default' or (c.scope = 'websites' and c.scope_id = place.website_id))
     order by c.scope = 'default' limit 1),
    concat_ws('.', pos_config_version_of('global', 0), place.website_id,
      pos_config_version_of('website', place.website_id), place.location_id,
      pos_config_version_of('location', place.location_id), pos_config_version_of('terminal', id)),
    l.license_id, l.license_status, l.expires_at, l.sealed_token, l.last_upstream_check_at,
    l.last_upstream_check_succeeded;
end $$`;
