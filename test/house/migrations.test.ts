import { existsSync, readFileSync } from 'node:fs';
import { Migration, Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '../../db/migrate.ts';
import { createOrm, ormOptions } from '../../db/orm.ts';
import { pendingMigrations } from '../../db/pending-migrations.ts';
import { migrationOptions } from '../../db/support/migration-options.ts';
import { changedSteps, readReleases, renewalRefusal, shippedDigests } from '../../local/release.ts';
import { testDatabaseUrl } from '../support/database.ts';
import { keptShopFile } from '../support/kept-shop.ts';

let url: string;
let orm: MikroORM;
beforeAll(async () => {
  url = await testDatabaseUrl();
  orm = await createOrm(url);
});
afterAll(() => orm.close());

test('until it is released, the first migration makes the tables of the entities; npm run tools -- migration:renew writes them', async () => {
  const tables = readFileSync('db/migrations/first-day/10-tables.sql', 'utf8');
  const isReleased = readReleases().length > 0;
  expect(isReleased ? [] : [tables]).toEqual(isReleased ? [] : [await orm.schema.getCreateSchemaSQL({ wrap: false })]);
});

test('no released migration was changed or taken away: a mistake is mended by the next one', async () => {
  expect(changedSteps(readReleases(), await shippedDigests())).toEqual([]);
});

test('every release was kept with the shop that later ones upgrade', () => {
  const absent = readReleases().filter(({ version }) => !existsSync(keptShopFile(version)));
  expect(absent).toEqual([]);
});

test('a changed and a lost released migration are noticed; the first one is not written anew any more', async () => {
  const now = await shippedDigests();
  const [first = ''] = Object.keys(now);
  const release = { version: '9.9.9', day: '2030-01-01', steps: { ...now, Migration20300101000000_gone: 'x' } };
  expect(changedSteps([release], { ...now, [first]: 'another' })).toEqual([
    `${first} was released with 9.9.9, and does something else now`,
    'Migration20300101000000_gone was released with 9.9.9, and is gone',
  ]);
  expect(renewalRefusal([])).toBeUndefined();
  expect(renewalRefusal([release])).toMatch(
    /^The first migration was released with 9\.9\.9 and stays as it is\. Write a/,
  );
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
