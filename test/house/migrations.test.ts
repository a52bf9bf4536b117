import { readFileSync } from 'node:fs';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createOrm, ormOptions } from '../../db/orm.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { migrationOptions } from '../../db/support/migration-options.ts';
import { testDatabaseUrl } from '../support/database.ts';

let url: string;
let orm: MikroORM;
beforeAll(async () => {
  url = await testDatabaseUrl();
  orm = await createOrm(url);
});
afterAll(() => orm.close());

test('the tables of the first migration are those of the entities; npm run tools -- migration:renew writes them', async () => {
  const tables = readFileSync('db/migrations/first-day/10-tables.sql', 'utf8');
  expect(tables).toBe(await orm.schema.getCreateSchemaSQL({ wrap: false }));
});

test('a migrated database has exactly the tables the entities describe', async () => {
  const changes = (await orm.schema.getUpdateSchemaSQL()).split(';\n').map((line) => line.trim());

  // Functions and triggers are written by hand; entities do not know them.
  expect(changes.filter((line) => line && !/^(set names|drop function|drop trigger)/.test(line))).toEqual([]);
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
