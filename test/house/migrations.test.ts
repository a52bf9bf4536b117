import { existsSync } from 'node:fs';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createOrm, ormOptions } from '../../db/orm.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { migrationOptions } from '../../db/support/migration-options.ts';
import { changedSteps, readReleases, shippedDigests } from '../../local/release.ts';
import { emptyDatabaseUrl, testDatabaseUrl } from '../support/database.ts';
import { keptShopFile } from '../support/kept-shop.ts';

let url: string;
let orm: MikroORM;
beforeAll(async () => {
  url = await testDatabaseUrl();
  orm = await createOrm(url);
});
afterAll(() => orm.close());

test('no released migration was changed or taken away: a mistake is mended by the next one', async () => {
  expect(changedSteps(readReleases(), await shippedDigests())).toEqual([]);
});

test('every release was kept with the shop that later ones upgrade', () => {
  const absent = readReleases().filter(({ version }) => !existsSync(keptShopFile(version)));
  expect(absent).toEqual([]);
});

test('a changed and a lost released migration are noticed', async () => {
  const now = await shippedDigests();
  const [first = ''] = Object.keys(now);
  const release = { version: '9.9.9', day: '2030-01-01', steps: { ...now, Migration20300101000000_gone: 'x' } };
  expect(changedSteps([release], { ...now, [first]: 'another' })).toEqual([
    `${first} was released with 9.9.9, and does something else now`,
    'Migration20300101000000_gone was released with 9.9.9, and is gone',
  ]);
});

test('a migrated database has exactly the tables the entities describe', async () => {
  const changes = (await orm.schema.getUpdateSchemaSQL()).split(';\n').map((line) => line.trim());

  // Functions and triggers are written by hand; entities do not know them.
  expect(changes.filter((line) => line && !/^(set names|drop function|drop trigger)/.test(line))).toEqual([]);
});

/** What a database has of its tables, a line each. */
const shapeOf = async (database: MikroORM): Promise<string[]> => {
  const rows = await database.em.fork().execute<{ line: string }[]>(`
    select indexdef as line from pg_indexes where schemaname = 'public' and tablename <> 'schema_migration'
    union all select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 't' and conrelid <> 0 and conrelid::regclass::text <> 'schema_migration'
    union all select table_name || '.' || column_name || ' ' || data_type || ' ' || coalesce(column_default, '') || ' ' ||
      is_nullable from information_schema.columns where table_schema = 'public' and table_name <> 'schema_migration'`);
  return rows.map(({ line }) => line).toSorted();
};

test('columns, indexes and checks are those that the entities make by themselves', async () => {
  const functions = await orm.em.fork().execute<{ text: string }[]>(`
    select pg_get_functiondef(p.oid) as text from pg_proc p where p.pronamespace = 'public'::regnamespace
      and p.prokind = 'f' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`);
  const extensions = await orm.em
    .fork()
    .execute<{ name: string }[]>(`select extname as name from pg_extension where extname <> 'plpgsql'`);
  const made = await createOrm(await emptyDatabaseUrl());
  try {
    const em = made.em.fork();
    for (const { name } of extensions) await em.execute(`create extension if not exists ${name}`);
    for (const { text } of functions) await em.execute(`set check_function_bodies = off; ${text}`);
    await em.execute(await orm.schema.getCreateSchemaSQL({ wrap: false }));
    expect(await shapeOf(orm)).toEqual(await shapeOf(made));
  } finally {
    await made.close();
  }
});

test('a second migrator finds nothing to do', async () => {
  expect(await migrate(url)).toEqual([]);
  expect(await pendingMigrations(orm.em.fork())).toEqual([]);
});

/** Its first statement ends in a comment, its second one has a semicolon within. */
class Broken extends Migration {
  override up(): void {
    this.addSql('create table half_made (words text) -- the first of three');
    this.addSql(`insert into half_made values ('a; b')`);
    this.addSql('insert into nowhere select * from half_made');
  }
}

test('a migration that fails at its last statement leaves nothing', async () => {
  const migrations = { ...migrationOptions, migrationsList: [Broken], tableName: 'schema_migration_2' };
  const broken = await MikroORM.init({ ...ormOptions(url), migrations, extensions: [Migrator] });
  try {
    await expect(broken.migrator.up()).rejects.toThrow('relation "nowhere" does not exist');
    expect(await broken.em.fork().execute(`select to_regclass('half_made') as made`)).toEqual([{ made: null }]);
  } finally {
    await broken.close();
  }
});
