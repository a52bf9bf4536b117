import { Migration } from '@mikro-orm/migrations';

/** What the entities cannot say: claims that stay, days of telemetry that come and go, an audit total that is known. */
export class Migration20261122000002_carts_and_telemetry extends Migration {
  override up(): void {
    this.addSql(cartStaysClaimed);
    this.addSql(
      `create trigger pos_held_cart_stays_claimed before update on pos_held_cart
       for each row when (old.recalled_at is not null and new.recalled_at is distinct from old.recalled_at)
       execute function pos_held_cart_stays_claimed()`,
    );
    this.addSql(openDay);
    this.addSql(dropDay);
    this.addSql(auditTotal);
    this.addSql(auditCountForgotten);
    this.addSql(
      `create trigger pos_audit_log_count_forgotten after delete or truncate on pos_audit_log
       for each statement execute function pos_audit_log_count_forgotten()`,
    );
  }

  override down(): void {
    this.addSql(`drop trigger pos_audit_log_count_forgotten on pos_audit_log`);
    this.addSql(`drop function pos_audit_log_count_forgotten`);
    this.addSql(`drop function pos_audit_log_total`);
    this.addSql(`drop function pos_telemetry_drop_day`);
    this.addSql(`drop function pos_telemetry_open_day`);
    this.addSql(`drop trigger pos_held_cart_stays_claimed on pos_held_cart`);
    this.addSql(`drop function pos_held_cart_stays_claimed`);
  }
}

/** Whatever is written of a cart, who took it up and when stays: else one cart could be sold twice. */
const cartStaysClaimed = `
create function pos_held_cart_stays_claimed() returns trigger language plpgsql as $$
begin
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

/**
 * How many lines the audit trail has, exactly. Lines are only ever added, so what is an hour old was counted once and
 * is known; only the rest is counted, and noted in turn when it has become long.
 */
const auditTotal = `
create function pos_audit_log_total() returns bigint language plpgsql as $$
declare
  known pos_audit_log_count;
  rest bigint;
  settled bigint;
begin
  select * into known from pos_audit_log_count;
  select count(*) into rest from pos_audit_log where log_id > coalesce(known.up_to, 0);
  if rest > 10000 and pg_try_advisory_xact_lock(hashtextextended('audit count', 0)) then
    select log_id into settled from pos_audit_log where created_at < now() - interval '1 hour'
      order by created_at desc limit 1;
    if settled > coalesce(known.up_to, 0) then
      insert into pos_audit_log_count (up_to, total)
      select settled, coalesce(known.total, 0) + count(*) from pos_audit_log
      where log_id > coalesce(known.up_to, 0) and log_id <= settled
      on conflict (is_it) do update set up_to = excluded.up_to, total = excluded.total
      where pos_audit_log_count.up_to < excluded.up_to;
    end if;
  end if;
  return coalesce(known.total, 0) + rest;
end $$`;

/** The trail is never purged; should a person take lines out all the same, everything is counted anew. */
const auditCountForgotten = `
create function pos_audit_log_count_forgotten() returns trigger language plpgsql as $$
begin
  delete from pos_audit_log_count;
  return null;
end $$`;
