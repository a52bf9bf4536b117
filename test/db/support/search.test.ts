import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { listAuditLog } from '../../../api/audit.ts';
import { listBulkOperations } from '../../../api/bulk.ts';
import type { AnyRoute } from '../../../api/http/route.ts';
import { searchCustomers } from '../../../api/platform/customers/customers.ts';
import { listProducts } from '../../../api/platform/products/products.ts';
import { couponRoutes } from '../../../api/platform/sales-rules/coupons.ts';
import { taxRateRoutes } from '../../../api/platform/tax/tax-rates.ts';
import { listReceipts } from '../../../api/receipts/receipts.ts';
import { terminalRoutes } from '../../../api/terminals/terminals.ts';
import { readSearchCriteria } from '../../../api/wire/criteria.ts';
import { gathered, type Gathering } from '../../../db/support/gather.ts';
import { booksOf } from '../../support/books.ts';
import { secretKey } from '../../support/builders/counter.ts';
import { aShop } from '../../support/builders/shop.ts';
import { testDatabase } from '../../support/database.ts';
import { codes, fillsTheShelves, find, refusal, shelves } from './shelves-to-search.ts';
import { useApi } from '../../support/fixtures.ts';

describe('gather', () => {
  let orm: MikroORM;
  beforeAll(async () => void (orm = await testDatabase()));
  afterAll(() => orm.close());

  const { fork } = booksOf(() => orm);

  type Asked = (numbers: readonly number[]) => Promise<void>;

  /** Notes what is asked together; answers twice the number, once it is told to. */
  function countingHouse({ ask, ...how }: Partial<Omit<Gathering<number, number>, 'ask'>> & { ask?: Asked }) {
    const batches: number[][] = [];
    const double = gathered<number, number>({
      atMost: 100,
      ...how,
      async ask(_em, numbers) {
        batches.push([...numbers]);
        await ask?.(numbers);
        return numbers.map((number) => 2 * number);
      },
    });
    return { batches, double: (number: number) => double(fork(), number) };
  }

  const refused = (code: string) => Object.assign(new Error('refused'), { code });

  /** A door that opens when it is told to. */
  function door() {
    let open = () => {};
    const opened = new Promise<void>((resolve) => void (open = resolve));
    return { open, opened };
  }

  async function untilAsked(batches: readonly unknown[]): Promise<void> {
    while (batches.length === 0) await new Promise(setImmediate);
  }

  test('who is alone is asked at once; who comes together is asked together, and each gets its own answer', async () => {
    const { batches, double } = countingHouse({});
    expect(await double(1)).toBe(2);
    expect(await Promise.all([double(2), double(3), double(4)])).toEqual([4, 6, 8]);
    expect(batches).toEqual([[1], [2, 3, 4]]);
  });

  test('who comes while others are being asked leaves with the rest, when these return', async () => {
    const first = door();
    const { batches, double } = countingHouse({ ask: ([number]) => (number === 1 ? first.opened : Promise.resolve()) });
    const one = double(1);
    await untilAsked(batches);
    const rest = [double(2), double(3)];
    first.open();
    expect(await Promise.all([one, ...rest])).toEqual([2, 4, 6]);
    expect(batches).toEqual([[1], [2, 3]]);
  });

  test('a statement that is stuck delays no other', async () => {
    const stuck = door();
    const { batches, double } = countingHouse({ ask: ([number]) => (number === 1 ? stuck.opened : Promise.resolve()) });
    const one = double(1);
    await untilAsked(batches);
    expect(await double(2)).toBe(4);
    stuck.open();
    expect(await one).toBe(2);
  });

  test('no statement takes more than it may', async () => {
    const { batches, double } = countingHouse({ atMost: 3 });
    const numbers = Array.from({ length: 8 }, (_, number) => number);
    expect(await Promise.all(numbers.map(double))).toEqual(numbers.map((number) => 2 * number));
    expect(batches.map(({ length }) => length)).toEqual([3, 3, 2]);
  });

  test('questions that must be apart leave in statements of their own, and keep no other waiting', async () => {
    const { batches, double } = countingHouse({ atMost: 3, apart: (number) => `a visitor ${number % 10}` });
    const numbers = [1, 11, 21, 2, 12, 3];
    expect(await Promise.all(numbers.map(double))).toEqual([2, 22, 42, 4, 24, 6]);
    expect(batches).toEqual([[1, 2, 3], [11, 12], [21]]);
  });

  test('one question that PostgreSQL refuses does not spoil those of the others', async () => {
    const { batches, double } = countingHouse({
      ask: async (numbers) => {
        if (numbers.includes(2)) throw refused('22003');
      },
    });
    const answers = await Promise.allSettled([double(1), double(2), double(3)]);
    expect(answers.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(batches).toEqual([[1, 2, 3], [1], [2], [3]]);
  });

  test('a database that is away is not asked once more for each', async () => {
    const { batches, double } = countingHouse({
      ask: async () => {
        throw refused('ECONNREFUSED');
      },
    });
    const answers = await Promise.allSettled([double(1), double(2)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(batches).toHaveLength(1);
  });

  test('each database has a queue of its own', async () => {
    const other = await testDatabase();
    try {
      const nameOf = gathered<number, string>({ atMost: 10, ask: namesOf });
      const [here, there] = await Promise.all([nameOf(fork(), 1), nameOf(other.em.fork(), 2)]);
      expect(here).not.toBe(there);
    } finally {
      await other.close();
    }
  });

  async function namesOf(em: EntityManager, numbers: readonly number[]): Promise<string[]> {
    const [row] = await em.execute<{ name: string }[]>('select current_database() as name');
    return numbers.map(() => row?.name ?? '');
  }
});

describe('search indexes', () => {
  const api = useApi({ settings: { POS_SECRET_KEY: secretKey } });
  beforeAll(async () => {
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
    select 'sku-' || n, 'Name ' || n, 5, n % 5000,
      jsonb_build_object('cost', n % 5000, 'special_price', (n % 5000)::text)
      || case when n % 100 = 0 then '{"is_returnable":"0"}' else '{}' end::jsonb
    from generate_series(1, 20000) n`);
    await aShop(api.orm.em.fork());
    await write(`
    insert into tax_rate (code, country_id, region_id, postcode, zip_from, zip_to, percent)
    select 'US-' || n, case when n % 100 = 0 then 'CA' else 'US' end, n % 60, (10000 + n)::text, n, n, n % 50
    from generate_series(1, 20000) n`);
    await write(`
    with promotion as (insert into sales_rule (name, coupon_type, simple_action, discount_amount, condition,
      action_condition)
      select 'Rule ' || n, 'SPECIFIC_COUPON', 'by_percent', 10, '{}', '{}' from generate_series(1, 100) n
        returning rule_id)
    insert into sales_coupon (rule_id, code, is_primary, is_generated, created_at)
    select rule_id, 'CODE-' || rule_id || '-' || n, n = 1, n > 1, now() - n * interval '1 day'
    from promotion, generate_series(1, 200) n`);
    await write(`
    with asked as (insert into bulk (bulk_uuid, user_type, user_id, route, store_id, website_id, store_code, operations)
      select 'uuid-' || n, 'admin', 1, 'POST /V1/products', 1, 1, 'default', 200 from generate_series(1, 100) n
        returning bulk_id)
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
      insert into customer_address (customer_id, firstname, lastname, city, country_id, postcode, telephone, region,
        company)
      select id, 'F', 'L', 'City ' || id % 5000, 'US', (id % 5000)::text, '555-' || id, 'Region ' || id % 5000,
        'Co ' || id % 5000
      from opened returning id, customer_id)
    select count(*) from lives`);
    await api.orm.em.fork().execute(`
    update customer c set default_billing = a.id from customer_address a where a.customer_id = c.id`);
    await api.orm.em.fork().execute('vacuum analyze customer');
    await api.orm.em.fork().execute('vacuum analyze customer_address');
    await write('analyze product');
    await write('analyze pos_terminal, pos_receipt, pos_audit_log');
  });

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
    terminals: terminalRoutes.find(({ name }) => name === 'listTerminals')!,
    'tax rates': taxRateRoutes.find(({ name }) => name === 'listTaxRates')!,
    coupons: couponRoutes.find(({ name }) => name === 'listCoupons')!,
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
});

describe('search', () => {
  fillsTheShelves();

  test.each([
    ['code', 'a-1', 'eq', 'A-1'],
    ['code', 'A-1', undefined, 'A-1'],
    ['code', 'A-1', 'neq', 'A-2 B-1 B-2'],
    ['code', 'a-1,b-2', 'in', 'A-1 B-2'],
    ['code', 'a-1, b-2', 'in', 'A-1'],
    ['code', 'A-1', 'nin', 'A-2 B-1 B-2'],
    ['label', 'OAK SHELF', 'eq', 'A-1'],
    ['label', 'oak shelf', 'neq', 'A-2 B-2'],
    ['label', 'oak%', 'like', 'A-1 A-2'],
    ['label', '%OAK%', 'nlike', 'B-2'],
    ['label', '50\\% off\\_%', 'like', 'B-2'],
    ['label', '50\\%%', 'like', 'B-2'],
    ['label', '%now\\\\', 'like', 'B-2'],
    ['label', 'shelf', 'fulltext', 'A-1'],
    ['label', 'oak shelf,OAK TABLE', 'in', 'A-1 A-2'],
    ['label', null, 'null', 'B-1'],
    ['label', 'whatever', 'notnull', 'A-1 A-2 B-2'],
    ['label', 'NULL', 'is', 'B-1'],
    ['label', 'not null', 'is', 'A-1 A-2 B-2'],
    ['label', '', 'seq', 'B-1'],
    ['label', 'oak table', 'seq', 'A-2'],
    ['label', '', 'sneq', 'A-1 A-2 B-2'],
    ['label', 'p', 'gt', ''],
    ['tags', 'glass', 'finset', 'B-2'],
    ['tags', 'wood', 'nfinset', 'B-2'],
    ['price', '33.3333', 'eq', 'B-2'],
    ['price', '12.50', 'gteq', 'A-1 A-2 B-2'],
    ['price', '12.5', 'gt', 'A-2 B-2'],
    ['price', '12.5', 'lt', 'B-1'],
    ['price', '12.5', 'lteq', 'A-1 B-1'],
    ['price', '12.5', 'from', 'A-1 A-2 B-2'],
    ['price', '12.5', 'to', 'A-1 B-1'],
    ['price', '7', 'moreq', 'B-1'],
    ['shelf_id', '2', 'eq', 'A-2'],
    ['shelf_id', '999999999999999', 'lt', 'A-1 A-2 B-1 B-2'],
    ['shelf_id', '9'.repeat(40), 'eq', ''],
    ['shelf_id', '9'.repeat(40), 'lt', 'A-1 A-2 B-1 B-2'],
    ['shelf_id', '.2e1', 'eq', 'A-2'],
    ['shelf_id', '-1.5', 'gt', 'A-1 A-2 B-1 B-2'],
    ['shelf_id', '2.5', 'lt', 'A-1 A-2'],
    ['shelf_id', '2.5', 'from', 'B-1 B-2'],
    ['shelf_id', '2.5,20e-1', 'in', 'A-2'],
    ['price', '1e2', 'eq', 'A-2'],
    ['Shelf_ID', '2', 'eq', 'A-2'],
    ['shelf_id', '2,', 'in', 'A-2'],
    ['shelf_id', '', 'in', ''],
    ['shelf_id', ',', 'nin', 'A-1 A-2 B-1 B-2'],
    ['price', ',12.5', 'in', 'A-1'],
    ['price', '', 'in', ''],
    ['price', '333333e-4', 'eq', 'B-2'],
    ['price', '1e999999', 'lt', 'A-1 A-2 B-1 B-2'],
    ['is_open', '0.0', 'eq', 'A-2'],
    ['shelf_id', '1%', 'like', 'A-1'],
    ['site', '2', 'eq', 'A-2 B-1'],
    ['site', '1,2', 'in', 'A-1 A-2 B-1'],
    ['site', '1', 'neq', 'B-1 B-2'],
    ['site', '2', 'finset', 'A-2 B-1'],
    ['is_open', '0', 'eq', 'A-2'],
    ['is_open', 'true', 'eq', 'A-1 B-1 B-2'],
    ['built_at', '2026-01-02 10:00:00', 'eq', 'A-2'],
    ['built_at', '2026-01-03', 'gteq', 'B-1 B-2'],
    ['built_at', '2026-01-03T11:00:00+01:00', 'gteq', 'B-1 B-2'],
    // A moment is answered in whole seconds, and what was answered finds itself.
    ['built_at', '2026-01-03 10:00:00', 'eq', 'B-1'],
    ['built_at', '2026-01-03 10:00:00', 'seq', 'B-1'],
    ['built_at', '2026-01-03T10:00:00.654Z', 'eq', 'B-1'],
    ['built_at', '2026-01-03 10:00:01', 'eq', ''],
    ['built_at', '2026-01-03 10:00:00', 'neq', 'A-1 A-2 B-2'],
    ['built_at', '2026-01-01 10:00:00,2026-01-03 10:00:00', 'in', 'A-1 B-1'],
    ['built_at', '2026-01-01 10:00:00,2026-01-03 10:00:00', 'nin', 'A-2 B-2'],
    ['built_at', '2026-01-03 10:00:00', 'gt', 'B-2'],
    ['built_at', '2026-01-03 09:59:59', 'gt', 'B-1 B-2'],
    ['built_at', '2026-01-03 10:00:00', 'gteq', 'B-1 B-2'],
    ['built_at', '2026-01-03 10:00:00', 'from', 'B-1 B-2'],
    ['built_at', '2026-01-03 10:00:00', 'lt', 'A-1 A-2'],
    ['built_at', '2026-01-03 10:00:00', 'lteq', 'A-1 A-2 B-1'],
    ['built_at', '2026-01-03 10:00:00', 'to', 'A-1 A-2 B-1'],
    ['built_at', '9999-12-31 23:59:59', 'lteq', 'A-1 A-2 B-1 B-2'],
  ] as const)('%s %s by %s finds %s', async (field, value, condition, expected) => {
    expect(await codes([condition === undefined ? [field, value] : [field, value, condition]])).toBe(expected);
  });

  test('filters of a group are joined by or, groups by and', async () => {
    expect(
      await codes(
        [
          ['code', 'A-1'],
          ['code', 'B-1'],
        ],
        [['price', '10', 'gt']],
      ),
    ).toBe('A-1');
  });

  test('a from and a to of one field in one group are a range', async () => {
    expect(
      await codes([
        ['price', '10', 'from'],
        ['price', '40', 'to'],
      ]),
    ).toBe('A-1 B-2');
    expect(
      await codes([
        ['price', '90', 'from'],
        ['price', '10', 'to'],
        ['code', 'A-1'],
      ]),
    ).toBe('A-1 A-2 B-1');
  });

  test('a condition that always holds cannot be argued away', async () => {
    const { rows: found, totalCount } = await find(
      {
        filterGroups: [
          {
            filters: [
              { field: 'code', value: 'A-1' },
              { field: 'code', value: 'B-1' },
            ],
          },
        ],
      },
      { ...shelves, where: { sql: 'is_open = ?', parameters: [true] } },
    );
    expect({ codes: found.map(({ code }) => code), totalCount }).toEqual({ codes: ['A-1', 'B-1'], totalCount: 2 });
  });

  describe('sorting', () => {
    const sorted = async (...sortOrders: object[]) =>
      (await find({ sortOrders })).rows.map(({ code }) => code).join(' ');

    test('sorts by several fields in turn, nulls before everything else', async () => {
      expect(await sorted({ field: 'label', direction: 'asc' })).toBe('B-1 B-2 A-1 A-2');
      expect(await sorted({ field: 'label', direction: 'DESC' })).toBe('A-2 A-1 B-2 B-1');
      expect(await sorted({ field: 'is_open', direction: 'ASC' }, { field: 'price', direction: 'ASC' })).toBe(
        'A-2 B-1 A-1 B-2',
      );
    });

    test('without a direction the largest comes first; a field named twice counts where it stands last', async () => {
      expect(await sorted({ field: 'price' })).toBe('A-2 B-2 A-1 B-1');
      expect(await sorted({ field: 'price' }, { field: 'is_open' }, { field: 'price', direction: 'ASC' })).toBe(
        'B-1 A-1 B-2 A-2',
      );
    });
  });

  describe('paging', () => {
    const page = async (pageSize: number, currentPage: number) => {
      const { rows: found, totalCount } = await find({ pageSize, currentPage });
      return `${found.map(({ code }) => code).join(' ')} of ${totalCount}`;
    };

    test('a page beyond the end is empty and still tells how many there are', async () => {
      expect(await page(3, 1)).toBe('A-1 A-2 B-1 of 4');
      expect(await page(3, 2)).toBe('B-2 of 4');
      expect(await page(3, 3)).toBe(' of 4');
      expect(await page(1_000_000_000, 1_000_000_000)).toBe(' of 4');
    });

    test('page size 0 and below is everything, page 0 and below the first', async () => {
      expect(await page(0, 5)).toBe('A-1 A-2 B-1 B-2 of 4');
      expect(await page(-1, 1)).toBe('A-1 A-2 B-1 B-2 of 4');
      expect(await page(2, 0)).toBe('A-1 A-2 of 4');
      expect(await page(2, -7)).toBe('A-1 A-2 of 4');
    });

    test('an answer never has more rows than its cap', async () => {
      const capped = { ...shelves, maxRows: 3 };
      expect(await refusal({}, capped)).toEqual({
        status: 400,
        message: 'Maximum SearchCriteria pageSize is %max',
        parameters: { max: 3 },
      });
      expect((await find({ pageSize: 3 }, capped)).rows).toHaveLength(3);
      expect((await find({ pageSize: 1_000_000_000, currentPage: 2 }, capped)).rows).toEqual([]);
    });
  });

  describe('what a stranger may try', () => {
    const filterBy = (field: string, value: unknown = '1', conditionType = 'eq') => ({
      filterGroups: [{ filters: [{ field, value, conditionType }] }],
    });

    test.each(['secret', 'shelf_id; drop table shelf', 'shelf_id"', '__proto__', 'constructor', 'toString', ''])(
      'filtering by %j is filtering by nothing known',
      async (field) => {
        expect(await refusal(filterBy(field))).toMatchObject({ status: 400, message: 'Invalid attribute name: %1' });
      },
    );

    test('a list cannot be sorted by a hidden column either', async () => {
      expect(await refusal({ sortOrders: [{ field: 'secret', direction: 'ASC' }] })).toEqual({
        status: 400,
        message: 'Invalid attribute name: %1',
        parameters: ['secret'],
      });
    });

    test.each([
      ['shelf_id', 'abc'],
      ['shelf_id', ''],
      ['shelf_id', '0x10'],
      ['shelf_id', '.'],
      ['shelf_id', '1'.repeat(101)],
      ['price', '1e'],
      ['price', 'NaN'],
      ['built_at', 'infinity'],
      ['built_at', '0000-01-01'],
      ['built_at', '2026-13-01'],
      ['built_at', '2026-02-30'],
      ['built_at', '2027-02-29 12:00:00'],
      ['built_at', '31.12.2030'],
      ['is_open', 'maybe'],
    ])('%s cannot be %j', async (field, value) => {
      expect(await refusal(filterBy(field, value))).toMatchObject({
        status: 400,
        message: 'Invalid value of "%value" provided for the %fieldName field.',
      });
    });

    test('SQL in a value is only a value', async () => {
      expect(await codes([['code', `' or '1'='1`]])).toBe('');
      expect(await codes([['label', `%' or 1=1 --`, 'like']])).toBe('');
      expect(await codes([['code', '?']])).toBe('');
    });

    test('patterns are short and have few wildcards', async () => {
      expect(await refusal(filterBy('label', '%a'.repeat(100), 'like'))).toMatchObject({ status: 400 });
      expect(await refusal(filterBy('label', 'a'.repeat(257), 'like'))).toMatchObject({ status: 400 });
      expect((await find(filterBy('label', '%'.repeat(200), 'like'))).totalCount).toBe(3);
      expect((await find(filterBy('label', 'oak\\', 'like'))).totalCount).toBe(0);
    });

    test('regular expressions are not run', async () => {
      expect(await refusal(filterBy('label', '(a+)+$', 'regexp'))).toEqual({
        status: 400,
        message: 'Invalid value of "%value" provided for the %fieldName field.',
        parameters: { fieldName: 'conditionType', value: 'regexp' },
      });
    });
  });
});
