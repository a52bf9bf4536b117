import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSync } from 'bcryptjs';
import { createIntegrationToken } from '../db/platform/access/create-signed-integration.ts';
import { everyResource } from '../domain/platform/access.ts';

/** The first ids of each table: separate ranges, so that every id is a unique number. */
export const firstIds = {
  product: 10_000_001,
  pos_terminal: 20_000_001,
  pos_location: 30_000_001,
  pos_held_cart: 35_000_001,
  sales_order: 40_000_001,
};
const firstOfOthers = 50_000_001;
const range = 500_000;
export const productCount = 1_000;
export const terminalCount = 1_000;
export const locationCount = 20;
/** Per location: a medium-sized shop. */
const staffCount = 20;

/** A medium-sized shop, created in a few statements. Returns a token for everything. */
export async function makeShop(em: EntityManager): Promise<string> {
  await spreadIds(em);
  for (const statement of shop) await em.execute(statement);
  await em.execute(`analyze ${[...filledBy(shop)].join(', ')}`);
  const { token } = await createIntegrationToken(em, { name: 'Bench', resources: [everyResource] });
  return token;
}

/**
 * As autovacuum leaves a new shop. Were its empty tables analysed too, the first connections would keep plans for empty
 * tables, and read all orders for each new one.
 */
const filledBy = (statements: readonly string[]) =>
  new Set(statements.flatMap((statement) => /^insert into (\w+)/.exec(statement)?.[1] ?? []));

async function spreadIds(em: EntityManager): Promise<void> {
  const sequences = await em.execute<{ name: string; owner: string }[]>(`
    select s.relname as name, t.relname as owner
    from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
      join pg_class t on t.oid = d.refobjid
    where s.relkind = 'S' order by s.relname`);
  const known = new Map(Object.entries(firstIds));
  for (const [index, { name, owner }] of sequences.entries()) {
    await em.execute(`alter sequence "${name}" restart with ${known.get(owner) ?? firstOfOthers + index * range}`);
  }
}

/** The passcode of all staff: `ada1@bench.example` and so on. */
export const passcode = '135790';
const passcodeHash = hashSync(passcode, 10);

const shop = [
  `insert into website (website_id, code, name, base_currency_code, is_default, default_group_id) values (1, 'base',
    'Main', 'USD', true, 1)`,
  `insert into store_group (group_id, website_id, code, name, default_store_id) values (1, 1, 'main', 'Main', 1)`,
  `insert into store_view (store_id, website_id, store_group_id, code, name, currency_code) values (1, 1, 1, 'default',
    'Default', 'USD')`,
  `insert into inventory_source (source_code, name, country_id) values ('floor', 'Shop floor', 'US'), ('damaged',
    'Damaged goods', 'US')`,
  `insert into inventory_stock (name, website_codes) values ('Shop', '["base"]')`,
  `insert into inventory_stock_source (stock_id, source_code, priority) select stock_id, 'floor', 1
    from inventory_stock`,
  `insert into product (sku, name, price, website_ids, custom_attributes)
   select 'SKU-' || lpad(n::text, 5, '0'), 'Product number ' || n, 5 + n % 90, '{1}',
          jsonb_build_object('url_key', 'product-' || n, 'color', 'colour ' || n % 12, 'description',
            repeat('A fine product. ', 6))
   from generate_series(1, ${productCount}) n`,
  `insert into inventory_source_item (sku, source_code, quantity) select sku, 'floor', 1000000 from product`,
  `insert into pos_location (name, code, website_id, source_code, damaged_stock_source_code)
   select 'Shop ' || n, 'shop-' || n, 1, 'floor', 'damaged' from generate_series(1, ${locationCount}) n`,
  `insert into pos_terminal (name, device_identifier, location_id, activation_used_at)
   select 'Till ' || n, 'till-' || (${firstIds.pos_terminal - 1} + n), ${firstIds.pos_location} + n % ${locationCount},
     now()
   from generate_series(1, ${terminalCount}) n`,
  `insert into pos_role (name, permissions) select 'Role ' || n,
    '{"place_orders":true,"apply_discounts":true,"accept_cash":true}'
   from generate_series(1, 3) n`,
  `insert into pos_staff (staff_code, first_name, last_name, email, email_key, passcode_hash, passcode_updated_at,
    role_id, all_locations)
   select 'S' || lpad(n::text, 4, '0'), 'Ada', 'Lovelace ' || n, 'ada' || n || '@bench.example',
     'ada' || n || '@bench.example', '${passcodeHash}', now(),
     (select min(role_id) + n % 3 from pos_role), true
   from generate_series(1, ${staffCount}) n`,
  `insert into config_value (path, value) values ('vendor_pos_terminal/provider_a/api_key', 'bench')`,
  `insert into pos_terminal_heartbeat (terminal_id) select terminal_id from pos_terminal on conflict do nothing`,
];
