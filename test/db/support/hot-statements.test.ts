import { afterAll, beforeAll, expect, test } from 'vitest';
import { CheckConstraintViolationException, type EntityManager, type MikroORM } from '@mikro-orm/postgresql';
import type { CompiledQuery } from 'kysely';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { Product } from '../../../db/platform/catalog/product.entity.ts';
import { Source } from '../../../db/platform/inventory/source.entity.ts';
import { searchOrders } from '../../../db/platform/orders/read-orders.ts';
import { integer, surely } from '../../../db/support/kinds.ts';
import { variesMark } from '../../../db/support/name-statements.ts';
import { send } from '../../../db/support/send.ts';
import { statement } from '../../../db/support/statement.ts';
import { insertRows, into } from '../../../db/support/write-rows.ts';
import { money } from '../../../domain/money/amount.ts';
import { pieces } from '../../../domain/money/quantity.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { fork, rows } = booksOf(() => orm);

const skus = async () => (await rows<{ sku: string }>('select sku from product order by sku')).map(({ sku }) => sku);

const successor = statement({
  takes: { n: integer },
  gives: { next: surely(integer) },
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
