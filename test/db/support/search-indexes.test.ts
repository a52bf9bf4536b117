import { afterAll, beforeAll, expect, test } from 'vitest';
import { CompiledQuery } from 'kysely';
import { listAuditLog } from '../../../api/audit/list-audit-log.ts';
import { listBulkOperations } from '../../../api/bulk/bulk-routes.ts';
import { searchCustomers } from '../../../api/platform/customers/search-customers.ts';
import { listProducts } from '../../../api/platform/products/list-products.ts';
import { listCoupons } from '../../../api/platform/sales-rules/list-coupons.ts';
import { listTaxRates } from '../../../api/platform/tax/list-tax-rates.ts';
import { listReceipts } from '../../../api/receipts/list-receipts.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { listTerminals } from '../../../api/terminals/list-terminals.ts';
import { testApi, type TestApi } from '../../support/api.ts';
import { aShop } from '../../support/builders/shop.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { booksOf } from '../../support/books.ts';

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ settings: { POS_SECRET_KEY: secretKey } });
  await write(`
    insert into pos_terminal (name, device_identifier, is_active)
    select 'Till ' || n, 'device-' || n, n % 100 > 0 from generate_series(1, 20000) n`);
  await write(`
    insert into pos_receipt (pos_order_id, token_digest, sealed_token, location_id, terminal_id, sale_type,
      order_increment_id, created_at)
    select n::text, n::text, '', n % 2000, n % 5000, case when n % 100 = 0 then 'refund' end, lpad(n::text, 9, '0'),
      now() - n * interval '1 minute'
    from generate_series(1, 20000) n`);
  await write(`
    insert into pos_audit_log (entity_type, entity_id, field_name, change_source, staff_id, terminal_id, location_id,
      created_at)
    select 'Kind ' || n % 500, n % 5000, 'name', case when n % 100 = 0 then 'api' else 'pos_terminal' end, n % 3000,
      n % 5000, n % 2000, now() - n * interval '1 minute'
    from generate_series(1, 20000) n`);
  await write(`
    insert into product (sku, name, price, weight, custom_attributes)
    select 'sku-' || n, 'Name ' || n, 5, n % 5000, jsonb_build_object('cost', n % 5000, 'special_price', (n % 5000)::text)
      || case when n % 100 = 0 then '{"is_returnable":"0"}' else '{}' end::jsonb
    from generate_series(1, 20000) n`);
  await aShop(api.orm.em.fork());
  await write(`
    insert into tax_rate (code, country_id, region_id, postcode, zip_from, zip_to, percent)
    select 'US-' || n, case when n % 100 = 0 then 'CA' else 'US' end, n % 60, (10000 + n)::text, n, n, n % 50
    from generate_series(1, 20000) n`);
  await write(`
    with promotion as (insert into sales_rule (name, coupon_type, simple_action, discount_amount, condition, action_condition)
      select 'Rule ' || n, 'SPECIFIC_COUPON', 'by_percent', 10, '{}', '{}' from generate_series(1, 100) n returning rule_id)
    insert into sales_coupon (rule_id, code, is_primary, is_generated, created_at)
    select rule_id, 'CODE-' || rule_id || '-' || n, n = 1, n > 1, now() - n * interval '1 day'
    from promotion, generate_series(1, 200) n`);
  await write(`
    with asked as (insert into bulk (bulk_uuid, user_type, user_id, route, store_id, website_id, store_code, operations)
      select 'uuid-' || n, 'admin', 1, 'POST /V1/products', 1, 1, 'default', 200 from generate_series(1, 100) n returning bulk_id)
    insert into bulk_operation (bulk_id, operation_key, status, error_code, started_at)
    select bulk_id, n, case n when 1 then 3 else 1 end, case n when 1 then 400 end, now() - n * interval '1 day'
    from asked, generate_series(1, 200) n`);
  await write('analyze tax_rate, sales_rule, sales_coupon, bulk, bulk_operation');
  await api.orm.em.fork().execute(`
    with opened as (
      insert into customer (website_id, store_id, group_id, email, firstname, lastname, middlename, prefix, suffix, dob,
        taxvat, gender, created_in, confirmation)
      select 1, 1, 1, 'c' || n || '@list.example', 'F' || n % 5000, 'L' || n % 5000, 'M' || n % 5000, 'P' || n % 5000,
        'S' || n % 5000, 'D' || n % 5000, 'T' || n, case when n % 100 = 0 then 3 else n % 2 end, 'View ' || n % 500,
        case when n % 100 = 0 then 'K' || n end
      from generate_series(1, 20000) n returning id),
    lives as (
      insert into customer_address (customer_id, firstname, lastname, city, country_id, postcode, telephone, region, company)
      select id, 'F', 'L', 'City ' || id % 5000, 'US', (id % 5000)::text, '555-' || id, 'Region ' || id % 5000, 'Co ' || id % 5000
      from opened returning id, customer_id)
    select count(*) from lives`);
  await api.orm.em.fork().execute(`
    update customer c set default_billing = a.id from customer_address a where a.customer_id = c.id`);
  await api.orm.em.fork().execute('vacuum analyze customer');
  await api.orm.em.fork().execute('vacuum analyze customer_address');
  await write('analyze product');
  await write('analyze pos_terminal, pos_receipt, pos_audit_log');
});
afterAll(() => api.close());

const { fork, write } = booksOf(() => api.orm);

/** What the list asks the database for. */
async function askedBy(list: AnyRoute, field: string, value: string, condition: string): Promise<CompiledQuery[]> {
  const em = fork();
  const asked: CompiledQuery[] = [];
  const listened = Object.assign(Object.create(em), {
    getKysely: () => ({
      executeQuery: (query: CompiledQuery) => {
        asked.push(query);
        return { rows: [] };
      },
    }),
  });
  const criteria = { filter_groups: [{ filters: [{ field, value, condition_type: condition }] }], page_size: 50 };
  await list.handle({
    em: listened,
    reader: listened,
    query: { searchCriteria: readSearchCriteria(criteria) },
    settings: api.settings,
    caller: { can: () => true },
    store: { storeId: 1, websiteId: 1 },
  } as never);
  return asked;
}

/** How the database goes about a query. */
async function planOf(sql: string, parameters: readonly unknown[]): Promise<string> {
  const { rows: found } = await fork()
    .getKysely()
    .executeQuery<Record<string, string>>(CompiledQuery.raw(sql, [...parameters]));
  return found.map((row) => row['QUERY PLAN']).join('\n');
}

const lists = {
  customers: searchCustomers,
  products: listProducts,
  receipts: listReceipts,
  'lines of the audit trail': listAuditLog,
  terminals: listTerminals,
  'tax rates': listTaxRates,
  coupons: listCoupons,
  operations: listBulkOperations,
};
const recently = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

test.each<[what: keyof typeof lists, field: string, value: string, condition?: string]>([
  ['receipts', 'location_id', '7'],
  ['receipts', 'terminal_id', '7'],
  ['receipts', 'created_at', recently, 'gteq'],
  ['receipts', 'created_at', recently],
  ['receipts', 'created_at', recently, 'in'],
  ['receipts', 'sale_type', 'refund'],
  ['receipts', 'order_increment_id', '000000007'],
  ['receipts', 'pos_order_id', '7'],
  ['lines of the audit trail', 'entity_type', 'kind 7'],
  ['lines of the audit trail', 'entity_id', '7'],
  ['lines of the audit trail', 'change_source', 'api'],
  ['lines of the audit trail', 'staff_id', '7'],
  ['lines of the audit trail', 'terminal_id', '7'],
  ['lines of the audit trail', 'location_id', '7'],
  ['lines of the audit trail', 'created_at', recently, 'gteq'],
  ['lines of the audit trail', 'created_at', recently],
  ['lines of the audit trail', 'created_at', recently, 'in'],
  ['terminals', 'name', 'till 7'],
  ['terminals', 'device_identifier', 'device-7'],
  ['terminals', 'location_id', '7'],
  ['terminals', 'is_active', '0'],
  ['terminals', 'license_id', '7'],
  ...[
    'email',
    'firstname',
    'lastname',
    'middlename',
    'prefix',
    'suffix',
    'dob',
    'taxvat',
    'created_in',
    'confirmation',
  ].map((field) => ['customers', field, 'F7'] as [keyof typeof lists, string, string]),
  ['customers', 'name', 'f7 l7'],
  ['customers', 'email', '%7777%', 'like'],
  ['customers', 'id', '7'],
  ['customers', 'gender', '3'],
  ['customers', 'default_billing', '7'],
  ['customers', 'created_at', '2000-01-01 00:00:00', 'lteq'],
  ['customers', 'updated_at', recently],
  ...['postcode', 'city', 'telephone', 'region', 'company'].map(
    (field) => ['customers', `billing_${field}`, '7'] as [keyof typeof lists, string, string],
  ),
  ['products', 'sku', 'sku-7'],
  ['products', 'name', 'name 7'],
  ['products', 'name', '%7777%', 'like'],
  ['products', 'price', '7'],
  ['products', 'status', '2'],
  ['products', 'type_id', 'bundle'],
  ['products', 'visibility', '1'],
  ['products', 'tax_class_id', '7'],
  ['products', 'attribute_set_id', '7'],
  ['products', 'barcode', '7'],
  ['products', 'url_key', '7'],
  ['products', 'category_id', '7'],
  ['products', 'website_id', '7'],
  ['products', 'created_at', '2000-01-01 00:00:00', 'lteq'],
  ['products', 'weight', '7'],
  ['products', 'cost', '7'],
  ['products', 'special_price', '7'],
  ['products', 'is_returnable', '0'],
  ['tax rates', 'id', '7'],
  ['tax rates', 'tax_country_id', 'ca'],
  ['tax rates', 'tax_region_id', '7'],
  ['tax rates', 'tax_postcode', '10007'],
  ['tax rates', 'zip_from', '7'],
  ['tax rates', 'zip_to', '7'],
  ['tax rates', 'rate', '7'],
  ['tax rates', 'code', 'us-7'],
  ['coupons', 'coupon_id', '7'],
  ['coupons', 'rule_id', '7'],
  ['coupons', 'code', 'code-7-7'],
  ['coupons', 'created_at', recently, 'gteq'],
  ['operations', 'bulk_uuid', 'uuid-7'],
  ['operations', 'status', '3'],
  ['operations', 'error_code', '400'],
  ['operations', 'start_time', recently, 'gteq'],
])('%s are found by %s through an index', async (what, field, value, condition = 'eq') => {
  // What is known of the total is asked first.
  const query = (await askedBy(lists[what], field, value, condition)).at(-1);
  const plan = await planOf(`explain ${query?.sql}`, query?.parameters ?? []);
  for (const table of ['pos_terminal t', 'product', 'customer', 'pos_receipt', 'pos_audit_log'])
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  for (const table of ['tax_rate', 'sales_coupon', 'bulk_operation'])
    expect(plan).not.toContain(`Seq Scan on ${table}`);
  expect(plan).toMatch(/Index Cond/);
});

test('whether a view has words of its own is looked up through an index, also by a plan for any view', async () => {
  const [ofView] = await askedBy(listProducts, 'name', 'name 7', 'eq');
  expect(ofView?.sql).toContain('scoped_values');
  const plan = await planOf(`explain (generic_plan) ${ofView?.sql}`, []);
  expect(plan).not.toContain('Seq Scan on product');
  expect(plan).toContain('product_scoped_values_set');
});
