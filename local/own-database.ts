import pg from 'pg';
import { CannotStart } from './cannot-start.ts';

/** The shop's database on our own server, created at the first start. */
export async function ownDatabase(url: string): Promise<void> {
  const server = new URL(url);
  const name = server.pathname.slice(1);
  server.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: server.href });
  // A stopped server fails the running query; its `error` event without a listener would end the process.
  admin.on('error', () => undefined);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await admin.query(`create database ${pg.escapeIdentifier(name)}`);
  } finally {
    await admin.end();
  }
}

/** Refuses, in one sentence, a configured database that does not answer. */
export async function checkDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    throw new CannotStart(
      `The database of DATABASE_URL does not answer (${reason}); start it, or unset DATABASE_URL to get one brought along.`,
    );
  } finally {
    await client.end().catch(() => undefined);
  }
}
