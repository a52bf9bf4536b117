import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';
import { testDatabase } from '../../support/database.ts';

let orm: MikroORM;
beforeAll(async () => {
  orm = await testDatabase();
});
afterAll(() => orm.close());

const tables = [
  {
    table: 'pos_audit_log',
    key: 'log_id',
    written: 'created_at',
    add: (rows: number, age: string) => `
      insert into pos_audit_log (entity_type, entity_id, field_name, created_at)
      select 'x', 'x', 'f', now() - interval '${age}' from generate_series(1, ${rows})`,
  },
  {
    table: 'pos_receipt',
    key: 'receipt_id',
    written: 'updated_at',
    add: (rows: number, age: string) => `
      insert into pos_receipt (pos_order_id, token_digest, sealed_token, created_at, updated_at)
      select gen_random_uuid(), gen_random_uuid(), '', now() - interval '3 years', now() - interval '${age}'
      from generate_series(1, ${rows})`,
  },
];

describe.each(tables)('the total of $table', ({ table, key, written, add }) => {
  const run = <Row extends object>(sql: string, em = orm.em.fork()) => em.execute<Row[]>(sql);
  const total = async () => {
    const [row] = await run<{ total: string }>(`select pos_growing_total('${table}', '${key}', '${written}') as total`);
    return Number(row?.total);
  };
  const counted = async () => Number((await run<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n);
  const known = async () =>
    (await run<{ total: string }>(`select total from pos_growing_count where counted_table = '${table}'`)).map((row) =>
      Number(row.total),
    );

  test('is counted while there are few, and while all of them are new', async () => {
    await run(add(10, '2 hours'));
    expect([await total(), await known()]).toEqual([10, []]);
    await run(add(10_000, '1 minute'));
    expect([await total(), await known()]).toEqual([10_010, [10]]);
  });

  test('is known for what is an hour old, and exact with what came since, whoever asks at once', async () => {
    await run(`delete from ${table}`);
    await run(add(10_001, '2 hours'));
    expect(await total()).toBe(10_001);
    expect(await known()).toEqual([10_001]);
    await run(add(3, '1 minute'));
    expect(await Promise.all(Array.from({ length: 8 }, total))).toEqual(Array.from({ length: 8 }, () => 10_004));
  });

  test('is exact after a person took some out, also while somebody asked', async () => {
    await orm.em.fork().transactional(async (em) => {
      await run(`delete from ${table} where ${key} % 2 = 0`, em);
      await run(add(10_001, '2 hours'));
      await total();
    });
    expect(await total()).toBe(await counted());
    expect(await known()).toEqual([await counted()]);
  });
});
