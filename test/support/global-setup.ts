import pg from 'pg';
import { migrate } from '../../db/migrate.ts';
import { startPostgres, type PostgresServer } from '../../local/postgres.ts';

export interface TestServers {
  postgres: PostgresServer;
}

/** One PostgreSQL for all test files; each takes its own database from the migrated template. */
export default async function setUp(): Promise<void> {
  const postgres = await startPostgres({ durable: false });
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  await admin.query('create database template_pos');
  await admin.end();
  await migrate(postgres.url('template_pos'));
  process.env['TEST_POSTGRES'] = postgres.url('');
  (globalThis as { testServers?: TestServers }).testServers = { postgres };
}
