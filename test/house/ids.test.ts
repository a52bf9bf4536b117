import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { useDatabase } from '../support/fixtures.ts';
import { sourcesOf } from './sources.ts';

/**
 * Ids are 64 bits wide, in every table: with 32 bits the lines of orders would run out within years, and a column
 * that refers to them would have to be rewritten while stores sell.
 */

/** The only 32-bit identities, each with its reason. */
const smallIdentities: Readonly<Record<string, string>> = {
  'schema_migration.id': 'a row per migration, in the table of the migrator',
};

const orm = useDatabase();
const namesOf = async (sql: string): Promise<string[]> => {
  const found = await orm.em.fork().execute<{ name: string }[]>(sql);
  return found.map(({ name }) => name);
};

/** Columns that draw their values from a sequence, with fewer than 64 bits. */
const narrowIdentities = `
  select table_name || '.' || column_name as name from information_schema.columns
  where table_schema = 'public' and data_type <> 'bigint'
    and (is_identity = 'YES' or column_default like 'nextval(%') order by 1`;

test('every identity has 64 bits, but for a few small tables', async () => {
  expect(await namesOf(narrowIdentities)).toEqual(Object.keys(smallIdentities));
});

test('every sequence has 64 bits, but for the same tables', async () => {
  const narrow = await namesOf(`
    select sequencename::text as name from pg_sequences where schemaname = 'public' and data_type <> 'bigint'::regtype`);
  expect(narrow).toEqual(Object.keys(smallIdentities).map((column) => `${column.replace('.', '_')}_seq`));
});

/** Foreign keys of which one side is narrower than the other, and columns with the name of an id. */
const narrowReferences = `
  select c.conrelid::regclass || '.' || a.attname as name
  from pg_constraint c
  cross join lateral unnest(c.conkey, c.confkey) as k (here, there)
  join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.here
  join pg_attribute b on b.attrelid = c.confrelid and b.attnum = k.there
  where c.contype = 'f' and a.atttypid <> b.atttypid
  union
  select table_name || '.' || column_name from information_schema.columns
  where table_schema = 'public' and (data_type in ('integer', 'smallint') or udt_name in ('_int4', '_int2'))
    and (column_name ~ '(^|_)ids?$' or column_name in (
      select a.attname from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      join pg_class r on r.oid = i.indrelid
      where i.indisprimary and i.indnatts = 1 and a.atttypid = 'bigint'::regtype and r.relnamespace = 'public'::regnamespace))
  order by 1`;

test('every column that refers to a row by its id has 64 bits', async () => {
  expect(await namesOf(narrowReferences)).toEqual(Object.keys(smallIdentities));
});

test('a narrow identity, sequence and reference are noticed', async () => {
  await orm.em.fork().transactional(async (em) => {
    await em.execute(`
      create table narrow (narrow_id serial primary key);
      create table refers (by_name bigserial primary key, narrow integer references narrow, order_ids integer[],
        order_id integer, customer_id smallint);
      create table differs (owner bigint references narrow)`);
    const names = async (sql: string) => (await em.execute<{ name: string }[]>(sql)).map(({ name }) => name);
    expect(await names(narrowIdentities)).toEqual(['narrow.narrow_id', ...Object.keys(smallIdentities)]);
    expect(await names(narrowReferences)).toEqual([
      'differs.owner',
      'narrow.narrow_id',
      ...['refers.customer_id', 'refers.order_id', 'refers.order_ids'],
      ...Object.keys(smallIdentities),
    ]);
    await em.rollback();
  });
});

/** SQL that narrows an id: a cast, a drawn number, an argument or a variable of a function, a sequence. */
const narrowing = [
  /(?:\b|_|\$)(?:ids?|\w+Ids?|\w+_ids?)(?:'\)|"|\))?\s*::\s*(?:int(?:eger|4|2)?|smallint)\b/,
  /\bnextval\((?:[^()]|\([^()]*\))*\)\s*::\s*(?:int(?:eger|4|2)?|smallint)\b/,
  /\bcast\(\s*\S*[iI]ds?\s+as\s+(?:int|smallint)/,
  /(?:[(,]|^)\s*(?:\w+_)?(?:ids?|of_order|of_view|of_website|who)\s+(?:int(?:eger|4|2)?|smallint)\b/m,
  /\bcreate sequence \S+ as (?:int|smallint)/,
];
const narrows = (text: string) => narrowing.some((pattern) => pattern.test(text));

test('no SQL narrows an id', () => {
  const typescript = sourcesOf('db', 'books', 'providers', 'activities', 'worker', 'api', 'cli', 'local', 'bench');
  const sql = globSync('db/migrations/**/*.sql').map((path) => ({ path, text: readFileSync(path, 'utf8') }));
  expect(sql.length).toBeGreaterThan(5);
  expect([...typescript, ...sql].flatMap(({ path, text }) => (narrows(text) ? [path] : []))).toEqual([]);
});

test.each([
  `where order_id = any($orderIds::int[])`,
  `select $id::integer`,
  `(l ->> 'newCardId')::int`,
  `o.entity_id::int4`,
  `nullif(split_part(g.given_by, ':', 2), '')::bigint, nextval('x_seq')::int`,
  `nextval(pg_get_serial_sequence('category', 'entity_id'))::int as id`,
  `cast(order_id as integer)`,
  `create function f(document text, store_id integer)`,
  `declare\n  who integer;`,
  `create sequence product_option_id as integer;`,
])('%j narrows an id', (sql) => expect(narrows(sql)).toBe(true));

test.each([`count(*)::int as valid`, `$orderId::bigint`, `sum(paid)::int`, `$limit::int`, `nextval('x_seq') as id`])(
  '%j does not',
  (sql) => expect(narrows(sql)).toBe(false),
);
