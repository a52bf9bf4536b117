import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { integer, orNull, definite, text, type Kinds } from '../../db/support/entity-columns.ts';
import { statement, statements, type Reply, type Wording } from '../../db/support/statement.ts';
import { named, sql } from '../../db/support/sql.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { sourcesOf } from './sources.ts';
import { createDescriber, type Describe } from './statements/describe-statement.ts';
import { deriveKinds } from './statements/derive-kinds.ts';
import { faultsOf } from './statements/faults-of.ts';

let client: pg.Client;
let describeStatement: Describe;
beforeAll(async () => {
  client = new pg.Client({ connectionString: await testDatabaseUrl() });
  await client.connect();
  describeStatement = await createDescriber(client);
});
afterAll(() => client.end());

const faults = (said: Reply) =>
  describeStatement(said.text).then(
    (described) => faultsOf(said, described),
    (refused: Error) => [refused.message],
  );

/** Whatever the product can say, loaded. */
async function loadAll() {
  const written = sourcesOf('db', 'books', 'cli', 'local/demo-shop', 'providers').filter(
    ({ path, text: source }) =>
      /\b(?:statement|sql)\(/.test(source) && !/^db\/(?:migrations\/|migrate)|^cli\/main/.test(path),
  );
  for (const { path } of written) await import(pathToFileURL(path).href);
}

const kindsFile = 'db/statements.gen.ts';

test('the committed kinds of statements are those of the migrated database', async () => {
  await loadAll();
  const derived = await deriveKinds(client, { describe: describeStatement, named: named.values() });
  if (process.env['UPDATE_STATEMENTS']) writeFileSync(kindsFile, derived);
  expect(readFileSync(kindsFile, 'utf8') === derived).toBe(true);
});

test('two statements of one name are refused', () => {
  const [name] = named.keys();
  expect(() => sql(name as Parameters<typeof sql>[0])`select 1 as one`).toThrow('Two statements are named');
});

test('a column of a type without a kind, or of JSON, is asked of its author', async () => {
  const said = { name: 'x.y', order: [], nullable: new Set<string>(), known: { takes: {}, gives: {} } };
  const derive = (text: string) => deriveKinds(client, { describe: describeStatement, named: [{ ...said, text }] });
  await expect(derive(`select '{}'::jsonb as rows`)).rejects.toThrow('rows of x.y is jsonb');
  await expect(derive('select comment from sale_return')).resolves.toContain("gives: of(Return, 'comment')");
});

/** What is wrong with any of them in the database as it is now. */
async function wrongStatements() {
  await loadAll();
  const found: Record<string, string[]> = {};
  for (const said of statements.values()) {
    const wrong = await faults(said);
    if (wrong.length > 0) found[said.text.trim()] = wrong;
  }
  expect(statements.size).toBeGreaterThan(0);
  return found;
}

test('every statement says of itself what PostgreSQL says of it', async () => {
  expect(await wrongStatements()).toEqual({});
});

test('no statement of a running release gives more when a newer one adds a column to each table', async () => {
  await client.query('begin');
  await client.query(`do $$ declare t text; begin
    for t in select oid::regclass from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    loop execute format('alter table %s add column of_a_newer_release text', t); end loop; end $$`);
  expect(await wrongStatements()).toEqual({});
  await client.query('rollback');
});

type Loose = Wording<Kinds, Kinds>;

const memoOfAttempt = `from refund_attempt a left join sales_creditmemo m on m.entity_id = a.credit_memo_id`;

test.each<[string, Loose]>([
  [
    'an id that is compared with a small number first',
    { takes: { orderId: integer }, gives: {}, text: 'select where $orderId > 0' },
  ],
  ['an id of 32 bits', { gives: { order_id: integer }, text: 'select 7 as order_id' }],
  ['a column that is not there', { gives: { nonsense: text }, text: 'select nonsense from sale_return' }],
  ['one that it does not select', { gives: { status: text, comment: text }, text: 'select status from sale_return' }],
  ['one that it does not give', { gives: { status: text }, text: 'select status, comment from sale_return' }],
  ['another type', { gives: { returnId: text }, text: 'select return_id from sale_return' }],
  ['a column that may be null', { gives: { locationId: integer }, text: 'select location_id from sale_return' }],
  ['one that never is', { gives: { status: orNull(text) }, text: 'select status from sale_return' }],
  ['one that a join may leave out', { gives: { incrementId: text }, text: `select m.increment_id ${memoOfAttempt}` }],
  [
    'the same, behind a name',
    { gives: { id: text }, text: `with x as (select m.increment_id as id ${memoOfAttempt}) select id from x` },
  ],
])('a statement with %s is found out', async (_, wording) => {
  statement(wording);
  const said = [...statements.values()].at(-1);
  statements.delete(said?.text ?? '');
  expect(said && (await faults(said))).toHaveLength(1);
});

test('what its author vouches for is believed', async () => {
  statement({
    gives: { locationId: definite(integer) },
    text: 'select location_id from sale_return where location_id is not null',
  });
  const said = [...statements.values()].at(-1);
  expect(said && (await faults(said))).toEqual([]);
});
