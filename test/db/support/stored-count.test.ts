import { beforeAll, describe, expect, test } from '@jest/globals';
import { CheckConstraintViolationException, type EntityManager } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import type { CompiledQuery } from 'kysely';
import { auditTrail } from '../../../db/audit/search-audit-log.ts';
import { readSearchCriteria } from '../../../api/wire/criteria.ts';
import { grownOrder, growOrders } from '../../../bench/grow-orders.ts';
import { storedCountInvariants } from '../../../books/verify/invariants/counts.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { searchProducts } from '../../../db/platform/catalog/products.ts';
import { searchSourceItems } from '../../../db/platform/inventory/source-items.ts';
import { Source } from '../../../db/platform/inventory/stock.entity.ts';
import { searchOrders } from '../../../db/platform/orders/read-order-items.ts';
import { searchShipments } from '../../../db/platform/shipments/shipments.ts';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { compactAllCounts, compactCounts, storedLists } from '../../../db/support/stored-count.ts';
import { auditLog } from '../../../db/support/counted-list.ts';
import { integer, definite } from '../../../db/support/entity-columns.ts';
import { variesMark } from '../../../db/support/name-statements.ts';
import { search, type Searchable } from '../../../db/support/search.ts';
import { send } from '../../../db/support/send.ts';
import { statement } from '../../../db/support/statement.ts';
import { insertRows, into } from '../../../db/support/write-rows.ts';
import { money, pieces } from '../../../domain/money.ts';
import { booksOf } from '../../support/books.ts';
import { useDatabase } from '../../support/fixtures.ts';
import { eightAtOnce } from '../../support/rivals.ts';
import { seed } from '../../support/seed.ts';

describe('hot statements', () => {
  const orm = useDatabase();

  const { fork, rows } = booksOf(() => orm);

  const skus = async () => (await rows<{ sku: string }>('select sku from product order by sku')).map(({ sku }) => sku);

  const successor = statement({
    takes: { n: integer },
    gives: { next: definite(integer) },
    text: 'select $n::int + 1 as next',
  });

  test('a statement with values is planned once per connection, one without is left alone', async () => {
    await fork().transactional(async (em) => {
      for (const n of [1, 2, 3]) expect(await successor.all(em, { n })).toEqual([{ next: n + 1 }]);
      await send(em, 'select 41 as never_named', []);
      await send(em, `${variesMark} select $1::int as never_named`, [41]);
      const prepared = await em.execute<{ statement: string }[]>('select statement from pg_prepared_statements');
      expect(prepared.map((one) => one.statement)).toEqual(['select $1::int + 1 as next']);
    });
  });

  test('a list by a status is planned for that status, unless an index has the rows of each in order', async () => {
    const isPlannedEachTime = async (sort_orders: object[]) => {
      const em = fork();
      const asked: string[] = [];
      const listened: EntityManager = Object.assign(Object.create(em), {
        getKysely: () => ({
          executeQuery: ({ sql }: CompiledQuery) => {
            asked.push(sql);
            return { rows: [] };
          },
        }),
      });
      const filter_groups = [{ filters: [{ field: 'status', value: 'pending', condition_type: 'eq' }] }];
      await searchOrders(listened, readSearchCriteria({ page_size: 20, filter_groups, sort_orders }));
      expect(asked).toHaveLength(1);
      return asked.map((sql) => sql.startsWith(variesMark));
    };
    expect(await isPlannedEachTime([])).toEqual([true]);
    expect(await isPlannedEachTime([{ field: 'entity_id', direction: 'DESC' }])).toEqual([true]);
    expect(await isPlannedEachTime([{ field: 'created_at', direction: 'DESC' }])).toEqual([false]);
  });

  test('rows of several tables go in together; what one row lacks and another has takes the default', async () => {
    await insertRows(fork(), [
      into(Product, [
        {
          sku: 'A',
          name: 'It’s "A"',
          price: money('12.3456'),
          minQty: pieces(2),
          typeId: 'virtual',
          manageStock: false,
        },
        { sku: 'B', name: 'B', price: money('0'), weight: pieces(1), customAttributes: { colour: 'blue' } },
      ]),
      into(Source, [{ sourceCode: 'here', name: 'Here', countryId: 'US', region: null, city: undefined }]),
      into(Source, []),
    ]);
    const em = fork();
    expect(await em.find(Product, {}, { orderBy: { sku: 'asc' } })).toMatchObject([
      {
        sku: 'A',
        name: 'It’s "A"',
        price: money('12.3456'),
        minQty: pieces(2),
        typeId: 'virtual',
        manageStock: false,
        weight: null,
      },
      {
        sku: 'B',
        price: 0,
        typeId: 'simple',
        manageStock: true,
        weight: pieces(1),
        customAttributes: { colour: 'blue' },
      },
    ]);
    expect(await em.findOne(Source, { sourceCode: 'here' })).toMatchObject({ isEnabled: true, region: null });
  });

  test('a broken rule of the database is the same refusal as from anywhere else, and undoes its transaction', async () => {
    const before = await skus();
    const broken = fork().transactional(async (em) => {
      await insertRows(em, [into(Product, [{ sku: 'C', name: 'C', price: money('1') }])]);
      await insertRows(em, [into(Product, [{ sku: 'D', name: 'D', price: money('-1') }])]);
    });
    await expect(broken).rejects.toBeInstanceOf(CheckConstraintViolationException);
    expect(await skus()).toEqual(before);
  });
});

describe('kept count', () => {
  const orm = useDatabase();
  beforeAll(async () => {
    await insert('website', {
      website_id: 1,
      code: 'base',
      name: 'Main',
      base_currency_code: 'USD',
      is_default: true,
      default_group_id: 1,
    });
    await insert('store_group', { group_id: 1, website_id: 1, code: 'main', name: 'Main', default_store_id: 1 });
    await insert('store_view', {
      store_id: 1,
      website_id: 1,
      store_group_id: 1,
      code: 'default',
      name: 'Default',
      currency_code: 'USD',
    });
    await insert('inventory_source', { source_code: 'floor', name: 'Floor', country_id: 'US' });
    await growOrders({ em: fork(), say: () => undefined }, 0, 200);
  });

  const { fork, rows, write, insert } = booksOf(() => orm);
  const wrong = async () => (await Promise.all(storedCountInvariants.map(({ sql }) => rows(sql)))).flat();

  const ordersWith = async (...filters: readonly [field: string, value: string, condition?: string][]) => {
    const criteria = readSearchCriteria({
      page_size: 1,
      filter_groups: filters.map(([field, value, condition_type = 'eq']) => ({
        filters: [{ field, value, condition_type }],
      })),
    });
    return (await searchOrders(fork(), criteria)).totalCount;
  };

  test('what is counted is what there is, of every list that is kept', async () => {
    expect(await wrong()).toEqual([]);
    const lists = await rows<{ list: string }>('select distinct list from pos_list_count');
    expect(lists.map(({ list }) => list)).toEqual(expect.arrayContaining(['sales_order', 'sales_invoice', 'customer']));
    expect(lists.every(({ list }) => Object.hasOwn(storedLists, list))).toBe(true);
  });

  test('a total follows an order from status to status', async () => {
    const before = [await ordersWith(['status', 'pending']), await ordersWith(['status', 'PENDING'], ['state', 'new'])];
    await write(
      `update sales_order set status = 'processing', state = 'processing' where entity_id = ${grownOrder(95)}`,
    );
    await write(`update sales_order set updated_at = now() where entity_id = ${grownOrder(96)}`);
    expect([
      await ordersWith(['status', 'pending']),
      await ordersWith(['status', 'pending'], ['state', 'new']),
    ]).toEqual(before.map((count) => count - 1));
    expect(await ordersWith(['status', 'pending,processing', 'in'])).toBe(28);
    expect(await wrong()).toEqual([]);
  });

  test('what is rolled back is not counted', async () => {
    const em = fork();
    await em.begin();
    await em.execute(`update sales_order set status = 'complete' where status = 'holded'`);
    await em.rollback();
    expect(await ordersWith(['status', 'holded'])).toBe(2);
  });

  test('eight tills change orders while eight readers add the counts up, and no total is ever wrong', async () => {
    const change = (n: number) =>
      write(`update sales_order set status = case status when 'complete' then 'closed' else 'complete' end
      where entity_id % 8 = ${n} and status in ('complete', 'closed')`);
    const totals = await eightAtOnce(async (n) => {
      await change(n);
      await compactCounts(fork(), 'sales_order');
      return ordersWith(['status', 'complete,closed', 'in']);
    });
    expect(new Set(totals)).toEqual(new Set([170]));
    expect(await wrong()).toEqual([]);
  });

  test('added up, each combination of values is one row', async () => {
    await compactCounts(fork(), 'sales_order');
    const [row] = await rows<{ rows: number; kinds: number }>(`
    select (select count(*)::int from pos_list_count where list = 'sales_order' and size = 'all'
      and counted <> 0) as rows,
      (select count(distinct (store_id, state, status, pos_layaway_status))::int from sales_order) as kinds`);
    expect(row?.rows).toBe(row?.kinds);
    expect(await compactCounts(fork(), 'sales_order')).toBe(0);
    expect(await ordersWith()).toBe(200);
  });

  test('a list answers while its counts cannot be added up, and the night adds them up', async () => {
    for (let n = 0; n < 6; n++)
      await write(`update sales_shipment set store_id = store_id; insert into pos_list_count (list, store_id, counted)
      select 'sales_shipment', 1, case n % 2 when 0 then 1 else -1 end from generate_series(1, 400) n`);
    const em = fork();
    await em.begin();
    await em.execute(`select pg_advisory_xact_lock(hashtextextended('counts of sales_shipment', 0))`);
    const criteria = readSearchCriteria({ page_size: 1 });
    expect((await searchShipments(fork(), criteria)).totalCount).toBe(200);
    const found = `select count(*)::int as rows from pos_list_count where list = 'sales_shipment' and size = 'new'`;
    expect((await rows<{ rows: number }>(found))[0]?.rows).toBeGreaterThan(2_000);
    await em.rollback();
    expect(await compactAllCounts(fork())).toBeGreaterThan(2_000);
    expect(await rows(found)).toEqual([{ rows: 0 }]);
    expect(await wrong()).toEqual([]);
  });

  test('a list adds its counts up by itself when they are many', async () => {
    for (let n = 0; n < 6; n++)
      await write(`update sales_order set status = case status when 'closed' then 'complete' else 'closed' end`);
    await ordersWith();
    const [row] = await rows<{ rows: number }>(
      `select count(*)::int as rows from pos_list_count where list = 'sales_order' and size = 'new'`,
    );
    expect(row?.rows).toBeLessThan(20);
    expect(await wrong()).toEqual([]);
  });

  test('stock that is saved twice is counted once, and what is taken out no more', async () => {
    const save = (status: number) =>
      write(`insert into inventory_source_item (sku, source_code, quantity, status)
      select 'kept-' || n, 'floor', 1, ${status} from generate_series(1, 5) n
      on conflict (sku, source_code) do update set status = excluded.status`);
    const inStock = async (status: string) =>
      (
        await searchSourceItems(
          fork(),
          readSearchCriteria({
            filter_groups: [{ filters: [{ field: 'status', value: status, condition_type: 'eq' }] }],
          }),
        )
      ).totalCount;
    await write(`insert into product (sku, name, price) select 'kept-' || n, 'Kept', 1 from generate_series(1, 5) n`);
    await save(1);
    await save(0);
    expect([await inStock('0'), await inStock('1')]).toEqual([5, 0]);
    await write(`delete from inventory_source_item where sku in ('kept-1', 'kept-2')`);
    expect(await inStock('0')).toBe(3);
    await write('truncate inventory_source_item');
    expect(await inStock('0')).toBe(0);
    expect(await wrong()).toEqual([]);
  });

  test('goods are counted on each of their websites, wherever they are moved', async () => {
    await write(`insert into product (sku, name, price, website_ids, tax_class_id)
    select 'placed-' || n, 'Placed', 1, case when n <= 3 then '{1,2}' else '{2}' end::text[], 4 from generate_series(1,
      5) n`);
    const goods = async (field: string, value: string, condition_type = 'eq') => {
      const kept = { filters: [{ field, value, condition_type }] };
      // No count is kept by name, so these are counted row by row.
      const counted = { filters: [{ field: 'name', value: '%', condition_type: 'like' }] };
      const totals = [[kept], [kept, counted]].map((filter_groups) =>
        searchProducts(fork(), readSearchCriteria({ page_size: 1, filter_groups }), { storeId: 0, websiteId: 0 }),
      );
      const [known, real] = await Promise.all(totals);
      expect(known?.totalCount).toBe(real?.totalCount);
      return known?.totalCount;
    };
    const onEach = () => Promise.all(['1', '2', '3'].map((website) => goods('website_id', website)));
    const elsewhere = await goods('website_id', '1', 'neq');
    expect(await onEach()).toEqual([3, 5, 0]);
    expect(await goods('website_id', '1,3', 'in')).toBe(3);
    await write(`update product set website_ids = '{1,3}', tax_class_id = 2 where sku = 'placed-5'`);
    expect(await onEach()).toEqual([4, 4, 1]);
    expect(await goods('website_id', '1', 'neq')).toBe((elsewhere ?? 0) - 1);
    expect(await goods('tax_class_id', '4')).toBe(4);
    await write(`delete from product where sku = 'placed-1'`);
    expect(await onEach()).toEqual([3, 3, 1]);
    expect(await wrong()).toEqual([]);
  });
});

describe('known count', () => {
  const orm = useDatabase();
  beforeAll(async () => {
    const em = fork();
    // Moments at, just before and just after hours, days and months, in no order: as if clocks were wrong.
    await em.execute(`
    insert into pos_audit_log (entity_type, entity_id, field_name, change_source, staff_id, terminal_id, location_id,
      created_at)
    select (array['Role', 'role', 'price'])[1 + n % 3], n % 10, 'f', (array['api', 'admin', 'pos_terminal'])[1 + n % 3],
      nullif(n % 5, 0), nullif(n % 4, 0), nullif(n % 3, 0),
      timestamptz '2026-01-31 22:00:00Z' + (n * 7919 % 200) * interval '30 minutes' + (n % 3 - 1) * interval
        '1 microsecond'
    from generate_series(1, 1500) n`);
    await countGrowing(em, auditLog);
    await em.execute(`
    insert into pos_audit_log (entity_type, entity_id, field_name, staff_id, terminal_id, created_at)
    select 'price', 'new', 'f', n % 2, n % 3, timestamptz '2026-02-02 00:00:00Z' + n * interval '1 hour'
      from generate_series(1, 50) n`);
  });

  const { fork } = booksOf(() => orm);

  const counted: Searchable = { ...auditTrail, columns: 'log_id' };
  const { counted: _counts, ...plain } = counted;

  const find = (searchable: Searchable, criteria: object) =>
    search<{ log_id: string }>(fork(), readSearchCriteria(criteria), searchable);

  interface Filter {
    field: string;
    value: string;
    condition_type: string;
  }
  const grouped = (...groups: readonly Filter[][]) => ({ filter_groups: groups.map((filters) => ({ filters })) });

  const conditions = ['eq', 'neq', 'in', 'nin', 'gt', 'lteq', 'like', 'null', 'notnull'];
  const id = fc.record({
    field: fc.constantFrom('staff_id', 'terminal_id', 'location_id'),
    value: fc.constantFrom('0', '1', '2', '3'),
    condition_type: fc.constantFrom(...conditions),
  });
  const word = fc.oneof(
    fc.record({
      field: fc.constant('entity_type'),
      value: fc.constantFrom('role', 'ROLE', 'price', 'r%', 'none'),
      condition_type: fc.constantFrom('eq', 'neq', 'like', 'nlike', 'gteq', 'finset'),
    }),
    fc.record({
      field: fc.constant('change_source'),
      value: fc.constantFrom('api', 'admin', 'API'),
      condition_type: fc.constantFrom('eq', 'neq', 'in'),
    }),
  );
  const moment = fc
    .tuple(fc.integer({ min: -2, max: 210 }), fc.constantFrom(-1, 0, 0, 1))
    .map(([steps, ms]) => new Date(Date.UTC(2026, 0, 31, 22) + steps * 1_800_000 + ms).toISOString());
  const when = fc.record({
    field: fc.constant('created_at'),
    value: moment,
    condition_type: fc.constantFrom('gt', 'gteq', 'lt', 'lteq', 'from', 'to', 'eq', 'neq', 'in', 'nin'),
  });
  const range = fc.tuple(moment, moment).map(([from, to]): Filter[] => [
    { field: 'created_at', value: from, condition_type: 'from' },
    { field: 'created_at', value: to, condition_type: 'to' },
  ]);
  const group = fc.oneof(
    { weight: 4, arbitrary: fc.tuple(fc.oneof(id, word, when)) },
    { weight: 2, arbitrary: range },
    { weight: 1, arbitrary: fc.tuple(fc.oneof(id, word, when), fc.oneof(id, word, when)) },
  );
  const criteria = fc.record({
    filter_groups: fc.array(
      group.map((filters) => ({ filters })),
      { maxLength: 4 },
    ),
    page_size: fc.integer({ min: 1, max: 5 }),
    current_page: fc.integer({ min: 1, max: 3 }),
    sort_orders: fc.constantFrom(
      [],
      [{ field: 'log_id', direction: 'DESC' }],
      [{ field: 'created_at', direction: 'DESC' }],
      [{ field: 'staff_id', direction: 'ASC' }],
    ),
  });

  test('whatever is asked for, total and page are those of counting every row', async () => {
    await fc.assert(
      fc.asyncProperty(criteria, async (asked) => {
        expect(await find(counted, asked)).toEqual(await find(plain, asked));
      }),
      { seed, numRuns: Number(process.env['POS_RUNS'] ?? 300) },
    );
  });

  describe('rows that are counted are not read again', () => {
    const eq = (field: string, value: string): Filter => ({ field, value, condition_type: 'eq' });
    const between = (from: string, to: string): Filter[] => [
      { field: 'created_at', value: from, condition_type: 'gteq' },
      { field: 'created_at', value: to, condition_type: 'lt' },
    ];
    const whole = between('2026-02-01', '2026-02-03').map((filter) => [filter]);

    // A count that is wrong on purpose shows what was looked up.
    test.each<[what: string, groups: Filter[][]]>([
      ['all of them', []],
      ['of a kind', [[eq('entity_type', 'role')]]],
      ['of a source', [[eq('change_source', 'api')]]],
      ['of a location', [[eq('location_id', '1')]]],
      ['of a terminal', [[eq('terminal_id', '1')]]],
      ['of a person', [[eq('staff_id', '1')]]],
      ['of whole days', whole],
      ['of a terminal, a kind and whole days', [[eq('terminal_id', '1')], [eq('entity_type', 'role')], ...whole]],
      [
        'of a person at a terminal of a location',
        [[eq('staff_id', '1')], [eq('terminal_id', '1')], [eq('location_id', '1')]],
      ],
      ['of one kind or one source', [[eq('entity_type', 'role'), eq('change_source', 'api')]]],
    ])('%s', async (_what, groups) => {
      const before = (await find(counted, grouped(...groups))).totalCount;
      const em = fork();
      await em.begin();
      await em.execute('update pos_audit_log_count set counted = counted + 1000000');
      const { totalCount } = await search(em, readSearchCriteria(grouped(...groups)), counted);
      await em.rollback();
      expect(totalCount).toBeGreaterThan(before + 999_999);
    });
  });
});

describe('list pages', () => {
  const { fork, rows, write } = booksOf(() => orm);

  const rowCount = 300;
  const manyRows = 25_000;

  const orm = useDatabase();
  beforeAll(async () => {
    await write(`
    create table parcel (parcel_id int primary key, status text not null, weight int, sent_at timestamptz not null)`);
    await write(`
    insert into parcel select n, (array['New', 'sent', 'lost'])[1 + n * 7 % 3], nullif(n * 13 % 5, 0),
      timestamptz '2026-01-01' + (n * 31 % 20) * interval '1 hour'
    from generate_series(1, ${rowCount}) n`);
    await write(`create table crowd (crowd_id int primary key, place int not null)`);
    await write(`insert into crowd select n, n * 7919 % ${manyRows} from generate_series(1, ${manyRows}) n`);
    await write('analyze parcel, crowd');
  });

  interface Parcel {
    parcel_id: number;
    status: string;
    weight: number | null;
    sent_at: string;
  }

  const parcels: Searchable = {
    table: 'parcel p',
    columns: 'p.parcel_id, p.status, p.weight, p.sent_at',
    fields: {
      status: { column: 'p.status', type: 'text' },
      weight: { column: 'p.weight', type: 'integer', isNullable: true },
      sent_at: { column: 'p.sent_at', type: 'timestamp' },
    },
    order: 'p.parcel_id',
  };

  const find = (searchable: Searchable, criteria: object) =>
    search<Parcel>(fork(), readSearchCriteria(criteria), searchable);

  const hourOf = (n: number) => new Date(Date.UTC(2026, 0, 1, n)).toISOString();
  const filter = fc.oneof(
    fc.record({
      field: fc.constant('status'),
      value: fc.constantFrom('new', 'SENT', 'lost', 'none'),
      condition_type: fc.constantFrom('eq', 'neq'),
    }),
    fc.record({
      field: fc.constant('weight'),
      value: fc.constantFrom('1', '2', '4'),
      condition_type: fc.constantFrom('eq', 'gt', 'lteq'),
    }),
    fc.record({
      field: fc.constant('sent_at'),
      value: fc.constantFrom(...[0, 5, 19].map(hourOf)),
      condition_type: fc.constantFrom('gteq', 'lt'),
    }),
  );
  type Filter = typeof filter extends fc.Arbitrary<infer Value> ? Value : never;
  const sort = fc.record({
    field: fc.constantFrom('status', 'weight', 'sent_at'),
    direction: fc.constantFrom('ASC', 'DESC'),
  });

  /** What a filter finds, worked out without a database. */
  function finds({ field, value, condition_type }: Filter, parcel: Parcel): boolean {
    if (field === 'status') return (parcel.status.toLowerCase() === value.toLowerCase()) === (condition_type === 'eq');
    const [had, wanted] =
      field === 'weight' ? [parcel.weight, Number(value)] : [Date.parse(parcel.sent_at), Date.parse(value)];
    if (had === null) return false;
    const holds = { eq: had === wanted, gt: had > wanted, lteq: had <= wanted, gteq: had >= wanted, lt: had < wanted };
    return holds[condition_type as keyof typeof holds];
  }

  const keyOf = (parcel: Parcel, field: string): string | number => {
    if (field === 'status') return parcel.status.toLowerCase();
    return field === 'weight' ? (parcel.weight ?? -1) : Date.parse(parcel.sent_at);
  };

  test('whatever is asked of a list, a page has the rows it should, in order, and the total is right', async () => {
    const { rows: all } = await find(parcels, {});
    expect(all).toHaveLength(rowCount);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(filter, { minLength: 1, maxLength: 2 }), { maxLength: 2 }),
        fc.uniqueArray(sort, { maxLength: 2, selector: ({ field }) => field }),
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        async (groups, sorts, pageSize, currentPage) => {
          // Two filters of a group are alternatives, whatever they are of; from and to are not drawn.
          const matching = all
            .filter((parcel) => groups.every((group) => group.some((one) => finds(one, parcel))))
            .toSorted((one, other) => {
              for (const { field, direction } of sorts) {
                const [a, b] = [keyOf(one, field), keyOf(other, field)];
                if (a !== b) return a < b === (direction === 'ASC') ? -1 : 1;
              }
              // Of equal ones the order of the last sort holds on.
              const first = one.parcel_id - other.parcel_id;
              return sorts.at(-1)?.direction === 'DESC' ? -first : first;
            });
          const { rows: found, totalCount } = await find(parcels, {
            filter_groups: groups.map((filters) => ({ filters })),
            sort_orders: sorts,
            page_size: pageSize,
            current_page: currentPage,
          });
          expect(totalCount).toBe(matching.length);
          expect(found.map(({ parcel_id }) => parcel_id)).toEqual(
            matching.slice((currentPage - 1) * pageSize, currentPage * pageSize).map(({ parcel_id }) => parcel_id),
          );
        },
      ),
      { seed, numRuns: 150 },
    );
  });

  const crowds: Searchable = {
    table: 'crowd',
    columns: 'crowd_id as parcel_id',
    fields: { crowd_id: { column: 'crowd_id', type: 'integer' }, place: { column: 'place', type: 'integer' } },
    order: 'crowd_id',
  };

  test.each([
    ['all but a few', 'gteq', '100', manyRows - 100],
    ['a few', 'lt', '100', 100],
    ['as many as are sorted', 'lt', '20000', 20_000],
    ['one more than are sorted', 'lteq', '20000', 20_001],
  ])('of %s the page and the total are right', async (_what, condition_type, value, count) => {
    const ask = async (sort_orders: object[], current_page: number) => {
      const filter_groups = [{ filters: [{ field: 'place', value, condition_type }] }];
      const { rows: found, totalCount } = await find(crowds, {
        filter_groups,
        sort_orders,
        page_size: 10,
        current_page,
      });
      return [totalCount, ...found.map(({ parcel_id }) => parcel_id)];
    };
    const expected = async (order: string, offset: number) => {
      const operator = { gteq: '>=', lt: '<', lteq: '<=' }[condition_type];
      const found = await rows<{ crowd_id: number }>(
        `select crowd_id from crowd where place ${operator} ${value} order by ${order} limit 10 offset ${offset}`,
      );
      return [count, ...found.map(({ crowd_id }) => crowd_id)];
    };
    const byPlace = [{ field: 'place', direction: 'DESC' }];
    expect(await ask([], 1)).toEqual(await expected('crowd_id', 0));
    expect(await ask([], 5)).toEqual(await expected('crowd_id', 40));
    expect(await ask(byPlace, 2)).toEqual(await expected('place desc, crowd_id', 10));
    expect(await ask([], 90_000)).toEqual([count]);
  });
});
