import type { EntityManager } from '@mikro-orm/postgresql';
import { countGrowing } from '../db/support/count-growing.ts';
import { receiptList } from '../db/support/counted-list.ts';
import { createSecretBox } from '../db/support/secret-box.ts';

/** The first id of every table here: a range of its own, beside rows made through the API and by `growOrders`. */
const firstRow = 100_000_001;
const rowsAtOnce = 50_000;
/** A shop has no more; their number is counted row by row. */
const mostTerminals = 2_000;
/** More than every postcode of a large country. */
const mostTaxRates = 100_000;
const operationsOfBulk = 100;
/** All carts are held at this one location. */
export const heldAt = firstRow;

/** Rows are a minute apart; the last one is old. */
export const madeAtOf = (n: number) => new Date(Date.UTC(2024, 0, 1) + n * 60_000);
const madeAt = `timestamptz '2024-01-01' + n * interval '1 minute'`;
const times = `${madeAt}, ${madeAt} + interval '1 hour'`;
const id = `${firstRow} + n`;

/** With the key of `startProcess`. */
const sealedToken = createSecretBox(Buffer.alloc(32, 7).toString('base64')).seal('0'.repeat(64), 'receipt token');

export interface ShopInput {
  em: EntityManager;
  say: (line: string) => void;
}

/**
 * Writes as many rows of every list of a shop, from one number on, up to and excluding another: products, customers,
 * receipts, returns with their orders, held carts, coupons, operations of bulks; terminals and tax rates up to what a
 * shop has. Each has values that few share and values that most share.
 */
export async function growShop({ em, say }: ShopInput, from: number, to: number): Promise<void> {
  if (from === 0) for (const statement of once) await em.execute(statement);
  for (let start = from; start < to; start += rowsAtOnce) {
    const end = Math.min(start + rowsAtOnce, to) - 1;
    for (const { sql, atMost = to, every = 1 } of growing) {
      const last = Math.min(end, atMost - 1);
      await em.execute(`${sql} from generate_series(${start}, ${last}, ${every}) n`);
    }
    say(`… ${end + 1} rows of each list`);
  }
  while (await countGrowing(em, receiptList));
  await em.execute('vacuum analyze');
}

const once = [
  `insert into pos_location (location_id, name, code, website_id) values (${heldAt}, 'Grown', 'grown', 1)`,
  `insert into sales_rule (rule_id, name, coupon_type, simple_action, discount_amount, condition, action_condition)
   values (${firstRow}, 'Grown', 'SPECIFIC_COUPON', 'by_percent', 10, '{}', '{}')`,
];

/** A hundred goods in each category; a hundred of another kind, turned off, or with another tax. */
const product = `
  insert into product (entity_id, sku, name, price, status, visibility, type_id, tax_class_id, weight, website_ids,
    category_ids, custom_attributes, created_at, updated_at)
  select ${id}, 'GROWN-' || n, 'Grown lantern ' || n, n % 5000, case when n < 100 then 2 else 1 end,
    case when n < 100 then 1 else 4 end, case when n < 100 then 'virtual' else 'simple' end,
    case when n < 100 then 4 else 2 end, n, '{1}', array['1', (1000 + n / 100)::text],
    jsonb_build_object('barcode', 'B' || n, 'url_key', 'grown-' || n, 'cost', n, 'special_price', n,
      'color', 'colour ' || n / 100) || case when n < 100 then '{"is_returnable":"0"}' else '{}' end::jsonb, ${times}`;

/** Ten customers share each name, hundred each value of the others. */
const customer = `
  insert into customer (id, website_id, store_id, group_id, email, firstname, lastname, middlename, prefix, suffix, dob,
    taxvat, confirmation, gender, created_in, default_billing, default_shipping, created_at, updated_at)
  select ${id}, 1, 1, case when n < 100 then 2 else 1 end, 'grown' || n || '@bench.example', 'First' || n / 10,
    'Last' || n / 10, 'Middle' || n / 100, 'Prefix' || n / 100, 'Suffix' || n / 100, 'Day' || n / 100, 'Vat' || n,
    case when n < 100 then 'Key' || n end, case when n < 100 then 3 else 1 + n % 2 end,
    case when n < 100 then 'Old view' else 'Default' end, ${id}, ${id}, ${times}`;

const address = `
  insert into customer_address (id, customer_id, firstname, lastname, city, country_id, postcode, telephone, region,
    company)
  select ${id}, ${id}, 'First', 'Last', 'City ' || n / 100, case when n < 100 then 'CA' else 'US' end,
    (10000 + n / 100)::text, '555-' || n, 'Region ' || n / 100, 'Company ' || n / 100`;

/** A hundred receipts of each terminal, a thousand of each location. */
const receipt = `
  insert into pos_receipt (receipt_id, pos_order_id, token_digest, sealed_token, location_id, terminal_id, sale_type,
    order_increment_id, grand_total, created_at, updated_at)
  select ${id}, 'grown-' || n, 'grown-' || n, '${sealedToken}', ${firstRow} + n / 1000, ${firstRow} + n / 100,
    case when n < 100 then 'exchange' when n % 10 = 0 then 'refund' end, 'GR' || n, 20, ${times}`;

/** The order of each return; a few hundred are layaways. */
const order = `
  insert into sales_order (entity_id, increment_id, state, status, protect_code, store_id, base_currency_code,
    order_currency_code, store_currency_code, global_currency_code, grand_total, base_grand_total, pos_layaway_status,
    pos_layaway_followed_at, created_at, updated_at)
  select ${id}, 'GR' || n, 'complete', 'complete', 'G' || n, 1, 'USD', 'USD', 'USD', 'USD', 20, 20,
    case when n < 100 then 'open' when n < 200 then 'stale' when n % 20 = 0 then 'completed' end, now(), ${times}`;

/** The oldest hundred are open. */
const rma = `
  insert into sale_return (return_id, increment_id, order_id, customer_id, status, created_at, updated_at)
  select ${id}, 'GRMA' || n, ${id}, ${firstRow} + n / 10,
    case when n < 50 then 'pending' when n < 100 then 'approved' else 'closed' end, ${times}`;

const bulk = `
  insert into bulk (bulk_id, bulk_uuid, user_type, user_id, route, store_id, website_id, store_code, operations,
    complete, finished_at)
  select ${id}, 'grown-' || n, 'admin', 1, 'POST /V1/products', 1, 1, 'default', ${operationsOfBulk},
    ${operationsOfBulk}, now()`;

/** A hundred failed. */
const operation = `
  insert into bulk_operation (operation_id, bulk_id, operation_key, status, error_code, started_at)
  select ${id}, ${id} - n % ${operationsOfBulk}, n % ${operationsOfBulk}, case when n < 100 then 3 else 1 end,
    case when n < 100 then 400 end, ${madeAt}`;

/** A statement for each row, for each of the first ones, or for each hundredth. */
interface Growing {
  sql: string;
  atMost?: number;
  every?: number;
}

const growing: readonly Growing[] = [
  { sql: product },
  { sql: customer },
  { sql: address },
  { sql: receipt },
  { sql: order },
  { sql: rma },
  {
    sql: `
    insert into pos_held_cart (held_cart_id, location_id, cart_uuid, cart_data, grand_total, item_count, currency_code)
    select ${id}, ${heldAt}, 'grown-' || n, '{}', 1, 1, 'USD'`,
  },
  {
    sql: `
    insert into pos_terminal (terminal_id, name, device_identifier, is_active)
    select ${id}, 'Grown till ' || n, 'grown-' || n, n >= 10`,
    atMost: mostTerminals,
  },
  {
    sql: `
    insert into tax_rate (rate_id, code, country_id, region_id, postcode, zip_from, zip_to, percent)
    select ${id}, 'Grown-' || n, case when n < 100 then 'CA' else 'US' end, n / 100, (10000 + n)::text, n, n,
      n / 100 % 1000 * 0.1`,
    atMost: mostTaxRates,
  },
  {
    sql: `
    insert into sales_coupon (coupon_id, rule_id, code, is_generated, created_at)
    select ${id}, ${firstRow}, 'GROWN-' || n, true, ${madeAt}`,
  },
  { sql: bulk, every: operationsOfBulk },
  { sql: operation },
];

/** The id of the n-th row of each list. */
export const grownRow = (n: number) => firstRow + n;
