import pg from 'pg';

/**
 * Stops `now()` of a test's database: it says the same until it is moved on, so that no test of waits depends on how
 * fast it runs. Holds for connections made afterwards; what a column's default says is the real time still.
 */
export async function stopClock(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const database = client.escapeIdentifier(new URL(databaseUrl).pathname.slice(1));
  await client.query(`
    create schema clock;
    create table clock.hand as select pg_catalog.now() as at;
    create function clock.now() returns timestamptz stable language sql as 'select at from clock.hand';
    alter database ${database} set search_path = clock, pg_catalog, public`);
  await client.end();
}

export const moveClock = 'update clock.hand set at = at + make_interval(secs => ?)';
