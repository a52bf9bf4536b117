import { Migration } from '@mikro-orm/migrations';

/** What the entities cannot say: claims that stay, days of telemetry that come and go, totals that are known. */
export class Migration20261122000002_carts_and_telemetry extends Migration {
  override up(): void {
    this.addSql(cartStaysClaimed);
    this.addSql(
      `create trigger pos_held_cart_stays_claimed before update on pos_held_cart
       for each row when (old.recalled_at is not null and (new.recalled_at, new.recalled_by_staff_id)
         is distinct from (old.recalled_at, old.recalled_by_staff_id))
       execute function pos_held_cart_stays_claimed()`,
    );
    this.addSql(openDay);
    this.addSql(dropDay);
    this.addSql(growingCountForgotten);
    for (const table of growing)
      this.addSql(
        `create trigger ${table}_count_forgotten after delete or truncate on ${table}
         for each statement execute function pos_growing_count_forgotten('${table}_count')`,
      );
  }

  override down(): void {
    for (const table of growing) this.addSql(`drop trigger ${table}_count_forgotten on ${table}`);
    this.addSql(`drop function pos_growing_count_forgotten`);
    this.addSql(`drop function pos_telemetry_drop_day`);
    this.addSql(`drop function pos_telemetry_open_day`);
    this.addSql(`drop trigger pos_held_cart_stays_claimed on pos_held_cart`);
    this.addSql(`drop function pos_held_cart_stays_claimed`);
  }
}

/**
 * Whatever is written of a cart, who took it up and when stays: else one cart could be sold twice. Only its claimant
 * frees it, by parking it anew after the claim.
 */
const cartStaysClaimed = `
create function pos_held_cart_stays_claimed() returns trigger language plpgsql as $$
begin
  if new.recalled_at is null and new.parked_at > old.recalled_at and (
    new.staff_id = old.recalled_by_staff_id or new.terminal_id = old.recalled_at_terminal_id
    or (new.staff_id is null and new.terminal_id is null and new.parked_by_caller = old.recalled_by_caller)) then
    return new;
  end if;
  raise exception 'held cart % is claimed', old.held_cart_id;
end $$`;

/**
 * Gives a day a partition of its own and moves into it what came before there was one. Attaching keeps writers waiting
 * only for the partition of all other days.
 */
const openDay = `
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
end $$`;

/** Drops the oldest partition of days before this one: a million rows go in the time of one. False: there is none. */
const dropDay = `
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
end $$`;

const growing = ['pos_audit_log', 'pos_receipt'];

/**
 * Neither trail nor receipts are ever purged; should a person take some out all the same, everything is counted anew.
 * Nobody notes a count meanwhile: it would still have what is about to be gone.
 */
const growingCountForgotten = `
create function pos_growing_count_forgotten() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('count of ' || tg_table_name, 0));
  delete from pos_growing_count where counted_table = tg_table_name;
  execute format('delete from %I', tg_argv[0]);
  return null;
end $$`;
