import { existsSync } from 'node:fs';
import { Migrator } from '@mikro-orm/migrations';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { grantAppRole } from './grant-app-role.ts';
import { ormOptions } from './orm.ts';
import { OtherTables, refuseOtherTables } from './pending-migrations.ts';

/** Any number; all migrators of this product use the same. */
const migrationLock = 727_274;

/**
 * Brings the database up to date, one migrator at a time. Throws `OtherTables` where only a new database helps.
 *
 * @returns the names of the migrations applied now; none on a second run
 */
export async function migrate(url: string): Promise<string[]> {
  const guard = new pg.Client({ connectionString: url });
  // When the server closes the connection, the running query fails; its `error` event without a listener would end
  // the process.
  guard.on('error', () => undefined);
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [migrationLock]);
    const orm = await MikroORM.init({ ...ormOptions(url), extensions: [Migrator] });
    try {
      await refuseOtherTables(orm.em.fork());
      return (await orm.migrator.up()).map(({ name }) => name);
    } finally {
      await orm.close();
    }
  } finally {
    await guard.end();
  }
}

/** The command: `.env` where it exists, overridden by the environment. Each error is one sentence. */
async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const url = process.env['DATABASE_URL'];
  if (!url) return end('Say which database to migrate: DATABASE_URL=postgres://…');
  try {
    const applied = await migrate(url);
    const role = process.env['DATABASE_APP_ROLE'];
    if (role) await grantAppRole(url, { name: role, password: process.env['DATABASE_APP_PASSWORD'] || undefined });
    console.log(applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`);
  } catch (error) {
    if (error instanceof OtherTables) return end(error.message);
    end(`The database of DATABASE_URL was not brought up to date (${reasonOf(error)}).`);
  }
}

function end(sentence: string): void {
  console.error(sentence);
  process.exitCode = 1;
}

/** An error for several tried addresses has no message, only a code. */
const reasonOf = (error: unknown) =>
  error instanceof Error
    ? error.message.split('\n')[0] || ('code' in error ? String(error.code) : error.name)
    : String(error);

if (import.meta.main) await main();
