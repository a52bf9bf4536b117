import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ormOptions } from './orm.ts';

/** Any number; the same one for everybody who migrates this product. */
const migrationLock = 727_274;

/**
 * Brings the database up to date, one migrator at a time however many are started.
 *
 * @returns the names of the migrations applied now; none on a second run
 */
export async function migrate(url: string): Promise<string[]> {
  const guard = new pg.Client({ connectionString: url });
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock]);
    const orm = await MikroORM.init({ ...ormOptions(url), extensions: [Migrator] });
    try {
      return (await orm.migrator.up()).map(({ name }) => name);
    } finally {
      await orm.close();
    }
  } finally {
    await guard.end();
  }
}

if (import.meta.main) {
  const url = process.env['DATABASE_URL'];
  if (!url) throw new Error('Say which database to migrate: DATABASE_URL=postgres://…');
  const applied = await migrate(url);
  console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
}
