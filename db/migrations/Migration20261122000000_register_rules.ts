import { Migration } from '@mikro-orm/migrations';

/** What the register's entities cannot say: counters of what registers see, and frozen receipts. */
export class Migration20261122000000_register_rules extends Migration {
  override up(): void {
    for (const { make } of functions) this.addSql(make);
    for (const { name, table, when } of triggers)
      this.addSql(`create trigger ${name} ${when} on ${table} for each row execute function ${name}()`);
    for (const { table, columns } of storeTables)
      this.addSql(
        `create trigger pos_stores_changed after insert or delete or update of ${columns} on ${table}
         for each row execute function pos_stores_changed()`,
      );
  }

  override down(): void {
    for (const { table } of storeTables) this.addSql(`drop trigger pos_stores_changed on ${table}`);
    for (const { name, table } of triggers) this.addSql(`drop trigger ${name} on ${table}`);
    for (const { name } of [...functions].reverse()) this.addSql(`drop function ${name}`);
  }
}

const bump = `
create function pos_bump_config_version(bumped text, id integer) returns void language sql as $$
  insert into pos_config_version (scope, scope_id, version) values (bumped, id, 2)
  on conflict (scope, scope_id) do update set version = pos_config_version.version + 1
$$`;

/** Only settings that registers get: a change of the others must not make every register pull its configuration. */
const settingSeen = `
create function pos_setting_is_seen(path text) returns boolean language sql immutable as $$
  select path ~ '^(vendor_pos|vendor_pos_terminal|vendor_pos_lock|tax|general/store_information)/'
    and path <> 'vendor_pos_terminal/customers/validators'
    or path ~ '^vendor_pos_advanced/(telemetry/(enabled|force_enabled|upload_hour)|returns/period_days)$'
    or path ~ '^(vendor_store_credit|vendor_gift_card|vendor_reward_points)/general/'
$$`;

const settingChanged = `
create function pos_setting_changed() returns trigger language plpgsql as $$
declare
  changed config_value := coalesce(new, old);
begin
  if tg_op = 'UPDATE' and new is not distinct from old or not pos_setting_is_seen(changed.path) then return null; end if;
  if changed.scope = 'default' then
    perform pos_bump_config_version('global', 0);
  elsif changed.scope = 'websites' then
    perform pos_bump_config_version('website', changed.scope_id);
  else
    perform pos_bump_config_version('website', website_id) from store_view where store_id = changed.scope_id;
  end if;
  return null;
end $$`;

const locationChanged = `
create function pos_location_changed() returns trigger language plpgsql as $$
begin
  if to_jsonb(new) - '{updated_at, customer_validators}'::text[]
    is distinct from to_jsonb(old) - '{updated_at, customer_validators}'::text[] then
    perform pos_bump_config_version('location', old.location_id);
  end if;
  return null;
end $$`;

/** Registers are never told a code, nor who was bound before or may be next. */
const terminalChanged = `
create function pos_terminal_changed() returns trigger language plpgsql as $$
declare
  untold text[] := '{updated_at, activation_code, released_device_identifier, code_claimed_by, code_claimed_until}';
begin
  if to_jsonb(new) - untold is distinct from to_jsonb(old) - untold then
    perform pos_bump_config_version('terminal', old.terminal_id);
  end if;
  return null;
end $$`;

/** When a license was last checked is told by the heartbeat itself. */
const licenseChanged = `
create function pos_license_changed() returns trigger language plpgsql as $$
declare
  told text[] := array['updated_at', 'last_upstream_check_at', 'last_upstream_check_succeeded'];
begin
  if to_jsonb(new) - told is distinct from to_jsonb(old) - told then
    perform pos_bump_config_version('terminal', terminal_id) from pos_terminal where license_id = old.license_id
      order by terminal_id;
  end if;
  return null;
end $$`;

/** Registers are told of active staff only. */
const staffChanged = `
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
end $$`;

/** Whoever works everywhere, or no more, works here no less for an assignment. One who is gone was seen, for all we know. */
const assignmentChanged = `
create function pos_staff_location_changed() returns trigger language plpgsql as $$
declare
  member pos_staff;
begin
  select * into member from pos_staff where staff_id = coalesce(new.staff_id, old.staff_id);
  if member.all_locations or not member.is_active then return null; end if;
  perform pos_bump_config_version('location', coalesce(new.location_id, old.location_id));
  return null;
end $$`;

const roleChanged = `
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
end $$`;

/** Which view's settings hold at a location hangs on these few columns; the shop is rearranged once in a blue moon. */
const storesChanged = `
create function pos_stores_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'UPDATE' or new is distinct from old then perform pos_bump_config_version('global', 0); end if;
  return null;
end $$`;

/** Registers are told which attributes are fixed taxes, and their labels. */
const fixedTaxAttributeChanged = `
create function pos_fixed_tax_attribute_changed() returns trigger language plpgsql as $$
begin
  if 'weee' in (coalesce(old.frontend_input, ''), coalesce(new.frontend_input, ''))
    and (old.attribute_code, old.frontend_input, old.label, old.store_labels)
      is distinct from (new.attribute_code, new.frontend_input, new.label, new.store_labels) then
    perform pos_bump_config_version('global', 0);
  end if;
  return null;
end $$`;

/** A receipt is what the customer holds: only its token, the order's number and the claim are ever written again. */
const receiptFrozen = `
create function pos_receipt_frozen() returns trigger language plpgsql as $$
declare free text[] := array['token_digest', 'sealed_token', 'order_increment_id', 'customer_id', 'claimed_at', 'claimed_order_id',
    'updated_at'];
begin
  if to_jsonb(new) - free is distinct from to_jsonb(old) - free then
    raise exception 'receipt % is frozen', old.receipt_id;
  end if;
  return null;
end $$`;

const receiptItemFrozen = `
create function pos_receipt_item_frozen() returns trigger language plpgsql as $$
begin
  raise exception 'the lines of receipt % are frozen', old.receipt_id;
end $$`;

const functions = [
  { name: 'pos_bump_config_version', make: bump },
  { name: 'pos_setting_is_seen', make: settingSeen },
  { name: 'pos_setting_changed', make: settingChanged },
  { name: 'pos_location_changed', make: locationChanged },
  { name: 'pos_terminal_changed', make: terminalChanged },
  { name: 'pos_license_changed', make: licenseChanged },
  { name: 'pos_staff_changed', make: staffChanged },
  { name: 'pos_staff_location_changed', make: assignmentChanged },
  { name: 'pos_role_changed', make: roleChanged },
  { name: 'pos_stores_changed', make: storesChanged },
  { name: 'pos_fixed_tax_attribute_changed', make: fixedTaxAttributeChanged },
  { name: 'pos_receipt_frozen', make: receiptFrozen },
  { name: 'pos_receipt_item_frozen', make: receiptItemFrozen },
];

/** Each named like the function it runs. */
const triggers = [
  { name: 'pos_setting_changed', table: 'config_value', when: 'after insert or update or delete' },
  { name: 'pos_location_changed', table: 'pos_location', when: 'after update or delete' },
  { name: 'pos_terminal_changed', table: 'pos_terminal', when: 'after update' },
  { name: 'pos_license_changed', table: 'pos_license', when: 'after update' },
  { name: 'pos_staff_changed', table: 'pos_staff', when: 'after insert or update or delete' },
  { name: 'pos_staff_location_changed', table: 'pos_staff_location', when: 'after insert or delete' },
  { name: 'pos_role_changed', table: 'pos_role', when: 'after update' },
  { name: 'pos_fixed_tax_attribute_changed', table: 'product_attribute', when: 'after insert or update or delete' },
  {
    name: 'pos_receipt_frozen',
    table: 'pos_receipt',
    when: `after update of receipt_id, pos_order_id, sale_id, terminal_id, location_id, staff_id, staff_name, terminal_name,
      location_name, payment_method, subtotal, tax_amount, discount_amount, grand_total, currency, created_at,
      receipt_number, amount_tendered, change_due, raw_payload, receipt_model, sale_type, credit_memo_id, rma_id,
      original_order_increment_id, shipping_refund, adjustment_positive, adjustment_negative, layaway_kind,
      layaway_amount_captured, layaway_total_paid, layaway_balance_owed, layaway_expires_at, split_payments,
      ship_to_shipments, backorder_shipments, applied_credits, terminal_provider, terminal_payment_id,
      terminal_dashboard_url, terminal_info, terminal_raw_payload, is_reverse_charge, points_earned, customer_name,
      customer_email`,
  },
  { name: 'pos_receipt_item_frozen', table: 'pos_receipt_item', when: 'after update' },
];

const storeTables = [
  { table: 'website', columns: 'is_default, default_group_id' },
  { table: 'store_group', columns: 'default_store_id' },
  { table: 'store_view', columns: 'website_id, is_active, sort_order' },
];
