import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

/** The time by the database's clock: stored times are compared only with this one. */
export async function databaseNow(em: EntityManager): Promise<Date> {
  const row = await selectDatabaseNow.first(em);
  if (row === undefined) throw new Error('the database did not tell the time');
  return row.now;
}

const selectDatabaseNow = sql('database-now.selectDatabaseNow')`select clock_timestamp() as now`;
