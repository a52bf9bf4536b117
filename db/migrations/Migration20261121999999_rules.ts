import { Migration } from '@mikro-orm/migrations';

/** What entities cannot say: functions, reference data of the platform. */
export class Migration20261121999999_rules extends Migration {
  override up(): void {
    this.addSql(nextIncrementId);
    this.addSql(`create sequence product_option_id as integer`);
    this.addSql(installation);
    this.addSql(`insert into website (website_id, code, name, base_currency_code) values (0, 'admin', 'Admin', 'USD')`);
    this.addSql(`insert into store_group (group_id, website_id, code, name) values (0, 0, 'admin', 'Admin')`);
    this.addSql(
      `insert into store_view (store_id, website_id, code, name, currency_code) values (0, 0, 'admin', 'Admin', 'USD')`,
    );
    this.addSql(taxClasses);
    this.addSql(defaultSource);
    this.addSql(`select setval('tax_class_class_id_seq', 3)`);
    this.addSql(
      `insert into customer_group (id, code) values (0, 'NOT LOGGED IN'), (1, 'General'), (2, 'Wholesale'), (3, 'Retailer')`,
    );
    this.addSql(`select setval('customer_group_id_seq', 3)`);
    this.addSql(orderStatuses);
    this.addSql(orderStatusStates);
  }

  override down(): void {
    this.addSql(`drop function next_increment_id(text, integer)`);
    this.addSql(`drop sequence product_option_id`);
    this.addSql(`delete from installation`);
    this.addSql(`delete from sales_order_status`);
    this.addSql(`delete from customer_group where id in (0, 1, 2, 3)`);
    this.addSql(`delete from tax_class where class_id in (2, 3)`);
    this.addSql(`delete from store_view where store_id = 0`);
    this.addSql(`delete from store_group where group_id = 0`);
    this.addSql(`delete from website where website_id = 0`);
  }
}

/**
 * The next human number of a document in a store (platform facts 5.1): nine digits, prefixed with the store's id from
 * the second store on. A sequence each, so that two sales never wait for one another; gaps are fine.
 */
const nextIncrementId = `
create function next_increment_id(document text, store_id integer) returns text language plpgsql as $$
declare
  name text := format('increment_%s_%s', document, store_id);
  next bigint;
begin
  begin
    next := nextval(name);
  exception when undefined_table then
    perform pg_advisory_xact_lock(hashtext(name));
    execute format('create sequence if not exists %I', name);
    next := nextval(name);
  end;
  return case when store_id > 1 then store_id::text else '' end || lpad(next::text, 9, '0');
end $$`;

/** Platform facts 8, 9.5. */
const taxClasses = `
insert into tax_class (class_id, class_name, class_type) values
  (2, 'Taxable Goods', 'PRODUCT'),
  (3, 'Retail Customer', 'CUSTOMER')`;

/** Platform facts 14: it is always there. */
const defaultSource = `
insert into inventory_source (source_code, name, country_id, postcode)
values ('default', 'Default Source', 'US', '00000')`;

/** Made once, where the database is made. */
const installation = `
insert into installation (installation_id, installation_key)
values (1, left(replace(gen_random_uuid()::text, '-', ''), 8))`;

/** Platform facts 5.3. */
const orderStatuses = `
insert into sales_order_status (status, label) values
  ('pending', 'Pending'),
  ('pending_payment', 'Pending Payment'),
  ('processing', 'Processing'),
  ('fraud', 'Suspected Fraud'),
  ('complete', 'Complete'),
  ('closed', 'Closed'),
  ('canceled', 'Canceled'),
  ('holded', 'On Hold'),
  ('payment_review', 'Payment Review')`;

/** Platform facts 5.3, the default of each state first. */
const orderStatusStates = `
insert into sales_order_status_state (status, state, is_default, is_visible_on_front) values
  ('pending', 'new', true, true),
  ('pending_payment', 'pending_payment', true, false),
  ('processing', 'processing', true, true),
  ('fraud', 'processing', false, true),
  ('complete', 'complete', true, true),
  ('closed', 'closed', true, true),
  ('canceled', 'canceled', true, true),
  ('holded', 'holded', true, true),
  ('payment_review', 'payment_review', true, true),
  ('fraud', 'payment_review', false, true)`;
