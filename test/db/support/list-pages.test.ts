import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { search, type Searchable } from '../../../db/support/search.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { seed } from '../../support/seed.ts';

const { fork, rows, write } = booksOf(() => orm);

const rowCount = 300;
const manyRows = 25_000;

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
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
afterAll(() => orm.close());

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
            return one.parcel_id - other.parcel_id;
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
    const { rows: found, totalCount } = await find(crowds, { filter_groups, sort_orders, page_size: 10, current_page });
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
