import pg from 'pg';

/**
 * Stops `now()` of a test's database until the test moves it on, so that tests of waiting do not depend on speed. It
 * holds for connections opened later; a column's default still uses the real time.
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
