import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../support/sql.ts';

/**
 * SQL that identifies the place of these tables. A copied database has another id, and so has a table restored from a
 * dump. A copy of the files has the same, so a person must report that.
 */
export const here = `(
  select d.oid || '/' || 'installation'::regclass::oid from pg_database d where d.datname = current_database())`;

/**
 * Whether the database is where it was when a worker first ran on it; on the first run this place becomes its home.
 * False: it is a copy or was restored, and a person must say which (`pos restored`).
 */
export async function isAtHome(em: EntityManager): Promise<boolean> {
  await setFirstHome.run(em);
  const row = await readIsAtHome.first(em);
  return row?.isAtHome === true;
}

/** Whether a worker ran on it where it is not now; unlike `isAtHome` it makes no place its home. */
export async function isElsewhere(em: EntityManager): Promise<boolean> {
  const row = await readIsElsewhere.first(em);
  return row?.isElsewhere === true;
}

/** The database was moved as a whole: nothing is missing, so nothing more is checked. */
export const recordHome = (em: EntityManager) => setHome.run(em);

/** The books are complete again: gateways are no longer asked before each refund. */
export const concludeRestore = (em: EntityManager) => conclude.run(em);

const setFirstHome = sql('installation-home.setFirstHome')`update installation set home = ${here} where home is null`;
const readIsAtHome = sql('installation-home.readIsAtHome')`
  select coalesce(home = ${here}, false) as is_at_home from installation`;
const readIsElsewhere = sql('installation-home.readIsElsewhere')`
  select coalesce(home <> ${here}, false) as is_elsewhere from installation`;
const setHome = sql('installation-home.setHome')`update installation set home = ${here}`;
const conclude = sql('installation-home.conclude')`update installation set restored_at = null`;
