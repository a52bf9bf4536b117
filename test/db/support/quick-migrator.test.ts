import { Migration } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import { expect, test } from 'vitest';
import { ormOptions } from '../../../db/orm.ts';
import { migrationOptions } from '../../../db/support/migration-options.ts';
import { QuickMigrator } from '../../../db/support/quick-migrator.ts';
import { testDatabaseUrl } from '../../support/database.ts';

/** Its first statement ends in a comment, its second one has a semicolon within. */
class Broken extends Migration {
  override up(): void {
    this.addSql('create table half_made (words text) -- the first of three');
    this.addSql(`insert into half_made values ('a; b')`);
    this.addSql('insert into nowhere select * from half_made');
  }
}

test('a migration that fails at its last statement leaves nothing', async () => {
  const migrations = {
    ...migrationOptions,
    migrationsList: [Broken],
    snapshot: false,
    tableName: 'schema_migration_2',
  };
  const orm = await MikroORM.init({
    ...ormOptions(await testDatabaseUrl()),
    ...{ migrations, extensions: [QuickMigrator] },
  });
  try {
    await expect(orm.migrator.up()).rejects.toThrow('relation "nowhere" does not exist');
    expect(await orm.em.fork().execute(`select to_regclass('half_made') as made`)).toEqual([{ made: null }]);
  } finally {
    await orm.close();
  }
});
