import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from './sql.ts';

/** What tells this database from every other one, also from one that was made anew under the same name. */
export async function databaseMark(em: EntityManager): Promise<string> {
  const row = await mark.first(em);
  if (!row) throw new Error('the database does not say which one it is');
  return row.mark;
}

const mark = sql('database-mark.mark')`
  select system_identifier::text || '/' || oid::text as mark from pg_control_system(), pg_database
  where datname = current_database()`;
