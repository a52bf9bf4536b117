import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import fc from 'fast-check';
import { auditTrail } from '../../../api/audit/search-audit-log.ts';
import { readSearchCriteria } from '../../../api/wire/read-search-criteria.ts';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { auditLog } from '../../../db/support/counted-list.ts';
import { search, type Searchable } from '../../../db/support/search.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { seed } from '../../support/seed.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
  const em = fork();
  // Moments at, just before and just after hours, days and months, in no order: as if clocks were wrong.
  await em.execute(`
    insert into pos_audit_log (entity_type, entity_id, field_name, change_source, staff_id, terminal_id, location_id, created_at)
    select (array['Role', 'role', 'price'])[1 + n % 3], n % 10, 'f', (array['api', 'admin', 'pos_terminal'])[1 + n % 3],
      nullif(n % 5, 0), nullif(n % 4, 0), nullif(n % 3, 0),
      timestamptz '2026-01-31 22:00:00Z' + (n * 7919 % 200) * interval '30 minutes' + (n % 3 - 1) * interval '1 microsecond'
    from generate_series(1, 1500) n`);
  await countGrowing(em, auditLog);
  await em.execute(`
    insert into pos_audit_log (entity_type, entity_id, field_name, staff_id, terminal_id, created_at)
    select 'price', 'new', 'f', n % 2, n % 3, timestamptz '2026-02-02 00:00:00Z' + n * interval '1 hour' from generate_series(1, 50) n`);
});
afterAll(() => orm.close());

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
