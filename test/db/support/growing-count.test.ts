import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MikroORM } from '@mikro-orm/postgresql';
import { countGrowing } from '../../../db/support/count-growing.ts';
import { auditLog, receiptList } from '../../../db/support/counted-list.ts';
import { growingCountInvariants } from '../../../books/verify/invariants/growing-counts.ts';
import { booksOf } from '../../support/books.ts';
import { testDatabase } from '../../support/database.ts';
import { eightAtOnce } from '../../support/rivals.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const { fork } = booksOf(() => orm);

const tables = [
  {
    list: auditLog,
    add: (rows: number, age: string) => `
      insert into pos_audit_log (entity_type, entity_id, field_name, staff_id, terminal_id, location_id, created_at)
      select 'Kind ' || n % 3, 'x', 'f', nullif(n % 4, 0), nullif(n % 3, 0), n % 2, now() - interval '${age}' - n * interval '7 minutes'
      from generate_series(1, ${rows}) n`,
  },
  {
    list: receiptList,
    add: (rows: number, age: string) => `
      insert into pos_receipt (pos_order_id, token_digest, sealed_token, terminal_id, location_id, sale_type, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), '', nullif(n % 3, 0), n % 2, case n % 5 when 0 then 'refund' end,
        now() - interval '3 years' - n * interval '7 minutes', now() - interval '${age}'
      from generate_series(1, ${rows}) n`,
  },
];

describe.each(tables)('what is counted of $list.table', ({ list, add }) => {
  const { table, key, counts } = list;
  const run = <Row extends object>(sql: string, em = fork()) => em.execute<Row[]>(sql);
  const count = () => countGrowing(fork(), list);
  /** How many rows are counted, where any are. */
  const known = async () =>
    (
      await run<{ n: number }>(`
        select sum(counted)::int as n from ${counts} where grain = 'shop' and size = 'month'
        having exists (select from pos_growing_count where counted_table = '${table}')`)
    ).map(({ n }) => n);
  const wrong = async () => {
    const rules = growingCountInvariants.filter(({ sql }) => new RegExp(`from ${counts}\\s`, 'v').test(sql));
    expect(rules).toHaveLength(1);
    return (await Promise.all(rules.map(({ sql }) => run(sql)))).flat();
  };

  test('is nothing while all of it is new, and only what lies before the first that is new', async () => {
    await run(add(5, '1 minute').replaceAll("interval '7 minutes'", "interval '1 second'"));
    expect([await count(), await known()]).toEqual([false, []]);
    await run(`delete from ${table}`);
    await run(add(10, '2 hours'));
    await run(add(1, '1 minute').replaceAll("interval '7 minutes'", "interval '1 second'"));
    await run(add(10, '2 hours'));
    expect([await count(), await known(), await wrong()]).toEqual([true, [10], []]);
    expect([await count(), await known()]).toEqual([false, [10]]);
  });

  test('is counted once, run by run, however many count at once', async () => {
    await run(`delete from ${table}`);
    for (const found of [2_000, 500, 1]) {
      await run(add(found, '2 hours'));
      await eightAtOnce(count);
      expect(await wrong()).toEqual([]);
    }
    expect(await known()).toEqual([2_501]);
  });

  test('is forgotten when a person deletes rows, also while they are counted', async () => {
    await fork().transactional(async (em) => {
      await run(`delete from ${table} where ${key} % 2 = 0`, em);
      await run(add(100, '2 hours'), em);
      expect(await count()).toBe(false);
    });
    expect([await known(), await run(`select from ${counts}`)]).toEqual([[], []]);
    await count();
    const [real] = await run<{ n: number }>(`select count(*)::int as n from ${table}`);
    expect([await known(), await wrong()]).toEqual([[real?.n], []]);
  });

  test('is told by the rule of the books where it is wrong', async () => {
    await run(`update ${counts} set counted = counted + 1 where size = 'day' and grain = 'location'`);
    expect(await wrong()).not.toEqual([]);
    await run(`delete from ${counts}`);
    expect(await wrong()).not.toEqual([]);
  });
});
