import { Migration } from '@mikro-orm/migrations';

/** What a price becomes by the rules on it, and who is put down when a price, a rule or a place changes. */
export class Migration20261123000010_catalog_rules extends Migration {
  override up(): void {
    for (const { make } of functions) this.addSql(make);
    for (const { name, table, does } of triggers)
      this.addSql(`create trigger ${name} ${does.replace('$table', table)}`);
  }

  override down(): void {
    for (const { name, table } of triggers) this.addSql(`drop trigger ${name} on ${table}`);
    for (const { name } of functions) this.addSql(`drop function ${name}`);
  }
}

/** The rules on one price in their order, each rounded (platform facts 9.3): the only place that works one out. */
const price = `
create function catalog_rule_price(price numeric, actions text[], amounts numeric[], stops boolean[], decimals integer)
returns numeric language plpgsql immutable strict parallel safe as $$
declare
  running numeric := price;
begin
  for at in 1 .. cardinality(actions) loop
    running := round(case actions[at]
      when 'to_fixed' then least(amounts[at], running)
      when 'to_percent' then running * amounts[at] / 100
      when 'by_fixed' then greatest(running - amounts[at], 0)
      else running * (1 - amounts[at] / 100) end, decimals);
    exit when stops[at];
  end loop;
  return running;
end $$`;

/** Only ever added: nobody waits for a run, and what changes while it is worked out is worked out again. */
const productDue = `
create function catalog_rule_product_due() returns trigger language plpgsql as $$
begin
  insert into catalog_rule_due (product_id) values (coalesce(new.entity_id, old.entity_id));
  return null;
end $$`;

const everythingDue = `
create function catalog_rule_everything_due() returns trigger language plpgsql as $$
begin
  insert into catalog_rule_due (product_id) values (null);
  return null;
end $$`;

/** The row is locked until the change is committed: a version that is seen is one whose change is seen. */
const taxesChanged = `
create function fixed_product_tax_changed() returns trigger language plpgsql as $$
begin
  insert into feed_version (feed, version) values ('fixed_product_tax', 2)
  on conflict (feed) do update set version = feed_version.version + 1;
  return null;
end $$`;

const functions = [
  { name: 'catalog_rule_price', make: price },
  { name: 'catalog_rule_product_due', make: productDue },
  { name: 'catalog_rule_everything_due', make: everythingDue },
  { name: 'fixed_product_tax_changed', make: taxesChanged },
];

/** What conditions and prices read of a product. */
const counted = [
  'sku',
  'name',
  'price',
  'type_id',
  'attribute_set_id',
  'website_ids',
  'category_ids',
  'custom_attributes',
  'scoped_values',
];
const row = (prefix: string) => `(${counted.map((column) => `${prefix}.${column}`).join(', ')})`;

const everything = 'for each row execute function catalog_rule_everything_due()';
const product = 'for each row execute function catalog_rule_product_due()';
const taxes = 'execute function fixed_product_tax_changed()';

const triggers = [
  { name: 'catalog_rule_of_product', table: 'product', does: `after insert or delete on $table ${product}` },
  {
    name: 'catalog_rule_of_changed_product',
    table: 'product',
    does: `after update on $table for each row when (${row('old')} is distinct from ${row('new')})
      execute function catalog_rule_product_due()`,
  },
  {
    name: 'catalog_rule_changed',
    table: 'catalog_rule',
    does: `after insert or update or delete on $table ${everything}`,
  },
  { name: 'catalog_rule_of_group', table: 'customer_group', does: `after insert or delete on $table ${everything}` },
  {
    name: 'catalog_rule_of_website',
    table: 'website',
    does: `after update on $table for each row when (old.base_currency_code <> new.base_currency_code)
      execute function catalog_rule_everything_due()`,
  },
  {
    name: 'fixed_product_tax_changed',
    table: 'fixed_product_tax',
    does: `after insert or update or delete on $table for each row ${taxes}`,
  },
  {
    name: 'fixed_product_tax_of_sku',
    table: 'product',
    does: `after update of sku on $table for each row when (old.sku is distinct from new.sku) ${taxes}`,
  },
];
